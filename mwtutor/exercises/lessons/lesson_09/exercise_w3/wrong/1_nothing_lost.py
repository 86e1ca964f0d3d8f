# misconception: a restart continues where it was killed
# says: The second attempt begins where the first was killed, as if nothing could be lost.


def restored_updates(killed_after, save_freq, steps_per_epoch):
    return killed_after
