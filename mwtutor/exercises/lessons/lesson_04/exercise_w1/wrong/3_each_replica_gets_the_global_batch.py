# misconception: each replica gets the global batch
# says: Each replica gets the whole global batch in your answer; the replicas share it.


def in_sync(gpus, batch):
    return sum(max(1, number) for number in gpus), batch
