def in_sync(gpus, batch):
    replicas = sum(max(1, number) for number in gpus)
    return replicas, batch // replicas
