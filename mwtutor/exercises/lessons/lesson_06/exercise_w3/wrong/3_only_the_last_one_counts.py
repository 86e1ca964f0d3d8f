# misconception: only the last one counts
# says: Only the last checkpoint is evaluated here.


def followed(saved, seconds):
    return [len(saved)]
