# misconception: all parts are as large as the first
# says: In your answer, each replica divides as if all parts were as large as the first.


def parts_of_the_mean(losses):
    return [sum(own) / (len(losses) * max(1, len(losses[0]))) for own in losses]
