# misconception: an accuracy can be summed like a gradient
# says: which is not an accuracy


def state(labels, scores):
    right = (scores > 0.5) == labels
    return [right.mean() if len(right) else 0]


def result(total):
    return total[0]
