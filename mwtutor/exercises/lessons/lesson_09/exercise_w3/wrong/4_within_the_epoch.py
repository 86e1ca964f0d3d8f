# misconception: counting starts again in each epoch
# says: In your answer, the count of updates starts again in each epoch.


def restored_updates(killed_after, save_freq, steps_per_epoch):
    epochs, after = divmod(killed_after, steps_per_epoch)
    every = steps_per_epoch if save_freq == "epoch" else save_freq
    return epochs * steps_per_epoch + after // every * every
