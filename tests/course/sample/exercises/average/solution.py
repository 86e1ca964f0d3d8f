def average(means, rows):
    return sum(mean * count for mean, count in zip(means, rows)) / sum(rows)
