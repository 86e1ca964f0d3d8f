# misconception: the rows themselves must be collected
# says: must not grow with the number of rows


def state(labels, scores):
    right = (scores > 0.5) == labels
    return right.astype(int).tolist()


def result(total):
    return sum(total) / len(total)
