# misconception: a worker without GPUs has no replica
# says: Workers without GPUs were not counted: their CPU is a device.


def in_sync(gpus, batch):
    replicas = sum(gpus)
    return replicas, batch // replicas if replicas else 0
