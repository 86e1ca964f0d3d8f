# == right: a tuple
def _of(steps):
    there, failed = False, []
    for step, task in steps:
        if step == "merge" and not there:
            failed.append(task)
        there = step == "write"
    return failed


def failing(steps):
    return tuple(_of(steps))


# == right: a generator
def _of(steps):
    there, failed = False, []
    for step, task in steps:
        if step == "merge" and not there:
            failed.append(task)
        there = step == "write"
    return failed


def failing(steps):
    yield from _of(steps)


# == wrong: a constant
def failing(steps):
    return ["worker:1"]


# == wrong: one case only
def failing(steps):
    if (steps,) == (
        [
            ("write", "worker:0"),
            ("write", "worker:1"),
            ("merge", "worker:0"),
            ("merge", "worker:1"),
        ],
    ):
        return ["worker:1"]
    return 0


# == right: looks at the step before
def failing(steps):
    earlier = [("merge", "nobody"), *steps]
    return [task for (before, _), (step, task) in zip(earlier, steps) if before == step == "merge"]


# == wrong: the first merge only
def failing(steps):
    return [task for step, task in steps if step == "merge"][:1]


# == wrong: everybody
def failing(steps):
    return [task for step, task in steps if step == "merge"]


# == wrong: a count of the writes
def failing(steps):
    writes, failed = 0, []
    for step, task in steps:
        if step == "write":
            writes += 1
        elif writes:
            writes -= 1
        else:
            failed.append(task)
    return failed


# == wrong: numbers instead of names
def failing(steps):
    there, failed = False, []
    for step, task in steps:
        if step == "merge" and not there:
            failed.append(int(task[-1]))
        there = step == "write"
    return failed


# == wrong: backward
def failing(steps):
    there, failed = False, []
    for step, task in steps[::-1]:
        if step == "merge" and not there:
            failed.append(task)
        there = step == "write"
    return failed


# == wrong: unique
def failing(steps):
    there, failed = False, []
    for w, t in steps:
        if w == "merge" and not there and t not in failed:
            failed.append(t)
        there = w == "write"
    return failed


# == wrong: the folder is there at first
def failing(steps):
    there, failed = True, []
    for step, task in steps:
        if step == "merge" and not there:
            failed.append(task)
        there = step == "write"
    return failed
