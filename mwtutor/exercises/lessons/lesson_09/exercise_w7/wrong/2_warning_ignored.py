# misconception: only the last backup counts
# says: In your answer, a warning changes nothing, although there was time to save.


def lost(updates, save_freq, grace, needed):
    return updates % save_freq
