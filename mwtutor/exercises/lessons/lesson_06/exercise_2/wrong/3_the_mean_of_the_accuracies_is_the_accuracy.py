# misconception: the mean of the accuracies is the accuracy
# says: counts more on a worker with fewer rows


def state(labels, scores):
    right = (scores > 0.5) == labels
    return [right.mean() if len(right) else 0, 1]


def result(total):
    return total[0] / total[1]
