# misconception: a restart begins from nothing
# says: only what the last attempt read


def counts(attempts):
    found = {}
    for worker in attempts[-1]:
        for _, rows in worker:
            for row in rows:
                found[row] = found.get(row, 0) + 1
    return found
