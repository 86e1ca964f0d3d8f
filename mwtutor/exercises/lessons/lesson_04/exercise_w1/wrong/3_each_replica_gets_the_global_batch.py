# misconception: each replica gets the global batch
# says: Each replica gets a whole global batch in your answer; they share it.


def in_sync(gpus, batch):
    return sum(max(1, number) for number in gpus), batch
