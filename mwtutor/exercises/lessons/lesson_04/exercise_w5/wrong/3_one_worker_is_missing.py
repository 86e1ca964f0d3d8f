# misconception: one worker is missing
# says: Only one worker is named, although several are missing.


def missing(entered):
    return [entered.index(min(entered))] if min(entered) < max(entered) else []
