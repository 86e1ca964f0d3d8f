# misconception: the workers add their GPUs, and a CPU is not a replica
# says: Each worker counts the GPUs of all workers in your answer, but it knows only its own.


def believed(gpus):
    return [sum(gpus)] * len(gpus)
