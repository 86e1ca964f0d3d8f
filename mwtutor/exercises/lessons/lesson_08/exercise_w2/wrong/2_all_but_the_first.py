# misconception: only the first merge can succeed
# says: In your answer, all merges fail except the first, even after a new write.


def failing(steps):
    return [task for step, task in steps if step == "merge"][1:]
