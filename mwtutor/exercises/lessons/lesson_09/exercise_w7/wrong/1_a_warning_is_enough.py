# misconception: with a warning, nothing is ever lost
# says: In your answer, nothing is lost after any warning, however short the time was.


def lost(updates, save_freq, grace, needed):
    return 0 if grace else updates % save_freq
