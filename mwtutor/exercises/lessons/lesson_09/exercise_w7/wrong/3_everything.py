# misconception: without time to save, everything is lost
# says: All updates are lost in your answer, although there were backups.


def lost(updates, save_freq, grace, needed):
    return 0 if needed <= grace else updates
