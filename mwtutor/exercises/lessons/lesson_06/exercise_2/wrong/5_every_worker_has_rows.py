# misconception: every worker has rows
# says: The state of a worker without rows


def state(labels, scores):
    right = (scores > 0.5) == labels
    return [right.mean() * len(right), len(right)]


def result(total):
    return total[0] / total[1]
