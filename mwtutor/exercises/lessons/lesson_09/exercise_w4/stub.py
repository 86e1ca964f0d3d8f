def at_the_end(backup, steps_per_epoch, epochs, keras):
    """The updates that the model has had at the end, if training was restored from a backup after
    `backup` updates, in the middle of an epoch.

    `keras` is 2 or 3.

    Returns a number of updates. Without a fault it would be epochs * steps_per_epoch.
    """
    return None
