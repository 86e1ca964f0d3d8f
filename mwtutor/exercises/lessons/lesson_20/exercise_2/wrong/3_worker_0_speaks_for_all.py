# misconception: all workers read the same rows
# says: only what worker 0 read


def counts(attempts):
    steps = {}
    for attempt in attempts:
        for step, _ in sorted(attempt[0]) if attempt else ():
            steps = {old: rows for old, rows in steps.items() if old < step}
            break
        for step, rows in attempt[0] if attempt else ():
            steps[step] = rows
    found = {}
    for rows in steps.values():
        for row in rows:
            found[row] = found.get(row, 0) + 1
    return found
