# misconception: what was saved during an evaluation is lost
# says: In your answer, a checkpoint that was saved during an evaluation is never evaluated.


def followed_numbers(saved, seconds):
    free, found = 0, []
    for number, at in enumerate(saved, 1):
        if at >= free:
            found.append(number)
            free = at + seconds
    return found
