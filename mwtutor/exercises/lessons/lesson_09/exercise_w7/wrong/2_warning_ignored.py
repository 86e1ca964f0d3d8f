# misconception: only the last backup counts
# says: A warning changes nothing in your answer, although there was time to save.


def lost(updates, save_freq, grace, needed):
    return updates % save_freq
