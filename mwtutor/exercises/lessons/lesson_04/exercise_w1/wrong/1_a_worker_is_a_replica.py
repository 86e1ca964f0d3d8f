# misconception: a worker is a replica
# says: Workers were counted, but a worker with several GPUs has several replicas.


def in_sync(gpus, batch):
    return len(gpus), batch // len(gpus)
