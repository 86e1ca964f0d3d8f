# misconception: a restart continues where it was killed
# says: In your answer, the second attempt begins where the first was killed: nothing is lost.


def restored_updates(killed_after, save_freq, steps_per_epoch):
    return killed_after
