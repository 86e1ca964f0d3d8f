# misconception: the epoch that was interrupted has a file, too
# says: In your answer, an epoch that was not finished has a file.


def left_by_kill(updates, steps_per_epoch):
    return list(range(1, -(-updates // steps_per_epoch) + 1)), updates % steps_per_epoch
