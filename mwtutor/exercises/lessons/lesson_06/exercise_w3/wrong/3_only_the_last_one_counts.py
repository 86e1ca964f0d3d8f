# misconception: only the last one counts
# says: Only the last checkpoint is evaluated here.


def followed_numbers(saved, seconds):
    return [len(saved)]
