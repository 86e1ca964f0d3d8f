# misconception: training continues at the next backup
# says: This is the backup after the kill, which was never written.


def restored_updates(killed_after, save_freq, steps_per_epoch):
    every = steps_per_epoch if save_freq == "epoch" else save_freq
    return -(-killed_after // every) * every
