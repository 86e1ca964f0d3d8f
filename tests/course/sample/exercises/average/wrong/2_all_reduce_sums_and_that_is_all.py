# misconception: all-reduce sums, and that is all
# says: that is a sum


def average(means, rows):
    return sum(m * n for m, n in zip(means, rows))
