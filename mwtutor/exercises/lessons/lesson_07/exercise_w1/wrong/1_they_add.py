# misconception: the workers add their GPUs
# says: Each worker counts all GPUs in your answer, but it knows only its own.


def believed(gpus):
    return [sum(max(1, own) for own in gpus)] * len(gpus)
