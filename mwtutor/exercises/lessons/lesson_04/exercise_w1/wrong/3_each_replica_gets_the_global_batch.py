# misconception: each replica gets the global batch
# says: In your answer, each replica gets the whole global batch; the replicas share it.


def in_sync(gpus, batch):
    return sum(max(1, number) for number in gpus), batch
