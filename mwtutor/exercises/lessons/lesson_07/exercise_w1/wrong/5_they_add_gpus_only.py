# misconception: the workers add their GPUs, and a CPU is not a replica
# says: In your answer, each worker counts the GPUs of all workers, but it knows only its own.


def believed(gpus):
    return [sum(gpus)] * len(gpus)
