def lost(updates, save_freq, grace, needed):
    """How many updates must be repeated.

    A backup is made after every `save_freq` updates; SIGKILL comes `grace` seconds after the
    warning; finishing the step and saving takes `needed` seconds.

    Returns a number of updates.

    updates: those made before the warning; grace: 0 without a warning
    """
    return None
