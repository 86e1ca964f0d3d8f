# misconception: without a GPU there are no replicas
# says: In your answer, a worker without a GPU counts no replica.


def believed(gpus):
    return [len(gpus) * own for own in gpus]
