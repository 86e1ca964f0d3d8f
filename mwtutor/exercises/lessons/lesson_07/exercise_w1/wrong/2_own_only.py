# misconception: each worker counts its own replicas
# says: These are the replicas of one worker, without the others'.


def believed(gpus):
    return [max(1, own) for own in gpus]
