# misconception: a kill loses nothing
# says: In your answer, no update is lost, although the last epoch was not finished.


def left_by_kill(updates, steps_per_epoch):
    return list(range(1, updates // steps_per_epoch + 1)), 0
