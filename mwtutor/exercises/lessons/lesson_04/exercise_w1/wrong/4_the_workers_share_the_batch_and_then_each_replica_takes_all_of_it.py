# misconception: the workers share the batch, and then each replica takes all of it
# says: The rows are those of a worker: its replicas share them.


def in_sync(gpus, batch):
    return sum(max(1, number) for number in gpus), batch // len(gpus)
