# misconception: without time to save, everything is lost
# says: In your answer, all updates are lost, although there were backups.


def lost(updates, save_freq, grace, needed):
    return 0 if needed <= grace else updates
