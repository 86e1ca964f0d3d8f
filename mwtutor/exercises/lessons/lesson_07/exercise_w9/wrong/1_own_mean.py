# misconception: each replica takes the mean of its rows
# says: In your answer, each replica divides by its own number of rows: the sum exceeds the mean.


def parts_of_the_mean(losses):
    return [sum(own) / max(1, len(own)) for own in losses]
