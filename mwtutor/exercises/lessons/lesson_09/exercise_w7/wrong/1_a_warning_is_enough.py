# misconception: with a warning, nothing is ever lost
# says: With any warning nothing is lost in your answer, however short the time was.


def lost(updates, save_freq, grace, needed):
    return 0 if grace else updates % save_freq
