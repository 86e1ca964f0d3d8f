# misconception: the work is divided equally
# says: In your answer, the work is divided equally, as if a step could be shared.


def joined_after(seconds, workers):
    return sum(seconds) / workers
