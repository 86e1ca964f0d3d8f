def left_by_kill(updates, steps_per_epoch):
    """The epochs of the `kept-{epoch}` files that exist when training is killed after that many
    updates, and how many updates are in no file.

    Returns (list of epochs, updates after the last file). Keras counts epochs in file names from 1.
    """
    return None
