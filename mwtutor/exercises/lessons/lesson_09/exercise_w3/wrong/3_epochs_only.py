# misconception: backups contain whole epochs only
# says: In your answer, only whole epochs count, although backups were written within them.


def restored_updates(killed_after, save_freq, steps_per_epoch):
    return killed_after // steps_per_epoch * steps_per_epoch
