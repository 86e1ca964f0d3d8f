# misconception: the largest number counts
# says: All workers use the largest number in your answer, as if they compared their numbers.


def believed(gpus):
    return [len(gpus) * max(1, *gpus)] * len(gpus)
