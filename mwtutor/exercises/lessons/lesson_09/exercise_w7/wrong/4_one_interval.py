# misconception: all updates between two backups are lost
# says: These are the updates between two backups, not those since the last one.


def lost(updates, save_freq, grace, needed):
    return 0 if needed <= grace else save_freq
