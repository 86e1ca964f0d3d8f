# misconception: half is more than half
# says: a score of exactly 0.5


def state(labels, scores):
    right = (scores >= 0.5) == labels
    return [right.sum(), len(right)]


def result(total):
    return total[0] / total[1]
