# misconception: the data is one worker's rows after the other's
# says: In your answer, all steps of one worker come before those of the next.


def data_order(parts):
    return [value for worker in parts for part in worker for value in part]
