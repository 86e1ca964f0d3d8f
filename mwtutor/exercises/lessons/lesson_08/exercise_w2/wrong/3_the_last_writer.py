# misconception: the folder belongs to the task that wrote last
# says: In your answer, a merge fails unless its own task was the last one to write.


def failing(steps):
    last, failed = None, []
    for step, task in steps:
        if step == "write":
            last = task
        elif task != last:
            failed.append(task)
    return failed
