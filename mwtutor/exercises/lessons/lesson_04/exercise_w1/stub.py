def in_sync(gpus, batch):
    return None
