# misconception: each replica takes the mean of its rows
# says: Each replica divides by its own rows, so the sum is larger than the mean.


def parts_of_the_mean(losses):
    return [sum(own) / max(1, len(own)) for own in losses]
