def average(means, rows):
    return None
