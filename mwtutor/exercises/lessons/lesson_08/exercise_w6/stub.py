def kept_names(saves, max_to_keep):
    """The names of the checkpoints that a `CheckpointManager` has kept after `saves` saves,
    oldest first.

    If `max_to_keep` is None, it removes none.

    Returns the names, for example ["ckpt-1"] after one save: the manager counts its saves.
    """
    return None
