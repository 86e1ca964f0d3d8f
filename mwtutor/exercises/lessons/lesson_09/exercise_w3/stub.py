def restored_updates(killed_after, save_freq, steps_per_epoch):
    """How many updates the restored model has had.

    `BackupAndRestore` saves after every `save_freq` updates, or after each epoch with "epoch".
    """
    return None
