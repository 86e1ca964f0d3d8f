# misconception: only the last one counts
# says: In your answer, only the last checkpoint is evaluated.


def followed_numbers(saved, seconds):
    return [len(saved)]
