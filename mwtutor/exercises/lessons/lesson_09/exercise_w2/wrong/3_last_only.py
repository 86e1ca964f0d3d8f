# misconception: each file replaces the one before
# says: In your answer, only the last file is there, although each has its own name.


def left_by_kill(updates, steps_per_epoch):
    epochs, lost = divmod(updates, steps_per_epoch)
    return [epochs][: bool(epochs)], lost
