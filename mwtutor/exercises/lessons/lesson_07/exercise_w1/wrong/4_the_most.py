# misconception: the largest number counts
# says: In your answer, all workers use the largest number, as if they compared their numbers.


def believed(gpus):
    return [len(gpus) * max(1, *gpus)] * len(gpus)
