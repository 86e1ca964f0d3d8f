def failing(steps):
    there, failed = False, []
    for step, task in steps:
        if step == "merge" and not there:
            failed.append(task)
        there = step == "write"
    return failed
