# misconception: the workers add their GPUs
# says: In your answer, each worker counts all GPUs, but it knows only its own.


def believed(gpus):
    return [sum(max(1, own) for own in gpus)] * len(gpus)
