# misconception: all updates between two backups are lost
# says: This is the number of updates between two backups, not those since the last one.


def lost(updates, save_freq, grace, needed):
    return 0 if needed <= grace else save_freq
