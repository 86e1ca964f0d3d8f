# misconception: only the last one counts
# says: Only the last checkpoint is evaluated in your answer.


def followed_numbers(saved, seconds):
    return [len(saved)]
