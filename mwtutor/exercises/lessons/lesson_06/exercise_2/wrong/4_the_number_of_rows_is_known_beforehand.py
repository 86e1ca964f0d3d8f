# misconception: the number of rows is known beforehand
# says: however many were read


def state(labels, scores):
    right = (scores > 0.5) == labels
    return [right.sum()]


def result(total):
    return total[0] / 297
