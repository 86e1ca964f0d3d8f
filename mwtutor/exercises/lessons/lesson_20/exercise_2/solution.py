def counts(attempts):
    steps = {}
    for attempt in attempts:
        first = min([step for worker in attempt for step, _ in worker], default=float("inf"))
        steps = {step: rows for step, rows in steps.items() if step < first}
        for worker in attempt:
            for step, rows in worker:
                steps[step] = steps.get(step, []) + list(rows)
    found = {}
    for rows in steps.values():
        for row in rows:
            found[row] = found.get(row, 0) + 1
    return found
