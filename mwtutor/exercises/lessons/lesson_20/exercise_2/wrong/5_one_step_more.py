# misconception: the first step of an attempt was done before
# says: include one of the undone steps


def counts(attempts):
    steps = {}
    for attempt in attempts:
        numbers = [step for worker in attempt for step, _ in worker]
        first = min(numbers, default=float("inf"))
        steps = {step: rows for step, rows in steps.items() if step <= first}
        for worker in attempt:
            for step, rows in worker:
                steps[step] = steps.get(step, []) + list(rows)
    found = {}
    for rows in steps.values():
        for row in rows:
            found[row] = found.get(row, 0) + 1
    return found
