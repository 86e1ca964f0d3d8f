def restored_updates(killed_after, save_freq, steps_per_epoch):
    every = steps_per_epoch if save_freq == "epoch" else save_freq
    return killed_after // every * every
