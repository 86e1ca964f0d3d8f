# misconception: each worker gets what it has computed
# says: These are only the predictions of worker 0.


def data_order(parts):
    return [value for part in parts[0] for value in part]
