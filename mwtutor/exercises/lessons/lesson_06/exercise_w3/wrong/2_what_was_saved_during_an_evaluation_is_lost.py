# misconception: what was saved during an evaluation is lost
# says: A checkpoint that was saved during an evaluation is never evaluated in your answer.


def followed_numbers(saved, seconds):
    free, found = 0, []
    for number, at in enumerate(saved, 1):
        if at >= free:
            found.append(number)
            free = at + seconds
    return found
