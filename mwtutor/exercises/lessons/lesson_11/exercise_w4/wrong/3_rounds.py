# misconception: all workers wait until each has done its step
# says: In your answer, the workers wait for each other after each step, as if they were mirrored.


def joined_after(seconds, workers):
    return sum(max(seconds[at : at + workers]) for at in range(0, len(seconds), workers))
