def lost(updates, save_freq, grace, needed):
    if needed <= grace:
        return 0
    return updates % save_freq
