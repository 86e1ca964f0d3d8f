# misconception: the mean of means is the mean
# says: Your parts add up to the mean of the replicas' means: rows of a smaller part count more.


def parts_of_the_mean(losses):
    return [sum(own) / max(1, len(own)) / len(losses) for own in losses]
