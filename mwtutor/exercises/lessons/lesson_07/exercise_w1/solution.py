def believed(gpus):
    workers = len(gpus)
    return [workers * max(1, own) for own in gpus]
