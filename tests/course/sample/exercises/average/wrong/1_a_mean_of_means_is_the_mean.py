# misconception: a mean of means is the mean
# says: both workers count the same


def average(means, rows):
    return sum(means) / len(means)
