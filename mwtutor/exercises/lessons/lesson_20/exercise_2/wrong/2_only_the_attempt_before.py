# misconception: a checkpoint is never older than the one before
# says: undo only the previous attempt's steps


def counts(attempts):
    firsts = [min((s for worker in a for s, _ in worker), default=float("inf")) for a in attempts]
    found = {}
    for at, attempt in enumerate(attempts):
        end = firsts[at + 1] if at + 1 < len(firsts) else float("inf")
        for worker in attempt:
            for step, rows in worker:
                for row in rows if step < end else ():
                    found[row] = found.get(row, 0) + 1
    return found
