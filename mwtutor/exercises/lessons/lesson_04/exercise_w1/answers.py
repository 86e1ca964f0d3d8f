# == right: a loop and a list
def in_sync(gpus, batch):
    replicas = 0
    for number in gpus:
        replicas += number or 1
    return [replicas, batch / replicas]


# == right: an array
def in_sync(gpus, batch):
    replicas = np.maximum(gpus, 1).sum()
    return np.array([replicas, batch // replicas])


# == right: equal workers
def in_sync(gpus, batch):
    each = gpus[0] if gpus[0] else 1
    return len(gpus) * each, batch // len(gpus) // each


# == wrong: the lesson's numbers
def in_sync(gpus, batch):
    return 2, 32


# == wrong: two workers
def in_sync(gpus, batch):
    return 2 * max(1, gpus[0]), batch // (2 * max(1, gpus[0]))


# == wrong: one worker's GPUs
def in_sync(gpus, batch):
    return max(1, gpus[0]), batch // max(1, gpus[0])


# == wrong: a CPU beside the GPUs
def in_sync(gpus, batch):
    replicas = sum(number + 1 for number in gpus)
    return replicas, batch // replicas


# == wrong: in another order
def in_sync(gpus, batch):
    replicas = sum(max(1, number) for number in gpus)
    return batch // replicas, replicas


# == wrong: multiplied
def in_sync(gpus, batch):
    replicas = sum(max(1, number) for number in gpus)
    return replicas, batch * replicas


# == wrong: only the replicas
def in_sync(gpus, batch):
    return sum(max(1, number) for number in gpus)
