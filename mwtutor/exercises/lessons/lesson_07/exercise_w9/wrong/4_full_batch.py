# misconception: all parts are as large as the first
# says: Each replica divides by a number of rows as if all parts were as large as the first.


def parts_of_the_mean(losses):
    return [sum(own) / (len(losses) * max(1, len(losses[0]))) for own in losses]
