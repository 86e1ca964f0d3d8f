# == right: count_nonzero, and the number of rows
def state(labels, scores):
    return [int(np.count_nonzero((scores > 0.5) == (labels == 1))), len(labels)]


def result(total):
    right, rows = total
    return right / rows


# == right: an array: wrong rows, then right ones
def state(labels, scores):
    ok = (scores > 0.5).astype(int) == labels.astype(int)
    return np.array([(~ok).sum(), ok.sum()])


def result(total):
    return total[1] / (total[0] + total[1])


# == right: the four cells of the confusion matrix
def state(labels, scores):
    p = scores > 0.5
    y = labels > 0.5
    return [
        float((p & y).sum()),
        float((~p & ~y).sum()),
        float((p & ~y).sum()),
        float((~p & y).sum()),
    ]


def result(total):
    tp, tn, fp, fn = total
    return (tp + tn) / (tp + tn + fp + fn)


# == wrong: the mean of two accuracies
def state(labels, scores):
    return [((scores > 0.5) == labels).mean()]


def result(total):
    return total[0] / 2


# == wrong: the mean of the accuracies, with 0 for no rows
def state(labels, scores):
    return [((scores > 0.5) == labels).mean() if len(labels) else 0, 1]


def result(total):
    return total[0] / total[1]


# == wrong: a score of 0.5 counts as 1
def state(labels, scores):
    return [int(((scores >= 0.5) == labels).sum()), len(labels)]


def result(total):
    return total[0] / total[1]


# == wrong: always divided by 297
def state(labels, scores):
    return [int(((scores > 0.5) == labels).sum()), len(labels)]


def result(total):
    return total[0] / 297


# == wrong: the number of right rows
def state(labels, scores):
    return [int(((scores > 0.5) == labels).sum())]


def result(total):
    return total[0]


# == wrong: a list as long as the rows
def state(labels, scores):
    return list(((scores > 0.5) == labels).astype(int))


def result(total):
    return sum(total) / len(total)


# == wrong: positive scores divided by positive labels
def state(labels, scores):
    return [int((scores > 0.5).sum()), int(labels.sum())]


def result(total):
    return total[0] / total[1]


# == wrong: right ones among the positive only
def state(labels, scores):
    return [int(((scores > 0.5) & (labels == 1)).sum()), len(labels)]


def result(total):
    return total[0] / total[1]


# == wrong: rounded to two digits
def state(labels, scores):
    return [int(((scores > 0.5) == labels).sum()), len(labels)]


def result(total):
    return round(total[0] / total[1], 2)
