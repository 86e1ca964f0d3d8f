# misconception: without a GPU there are no replicas
# says: A worker without a GPU counts no replica in your answer.


def believed(gpus):
    return [len(gpus) * own for own in gpus]
