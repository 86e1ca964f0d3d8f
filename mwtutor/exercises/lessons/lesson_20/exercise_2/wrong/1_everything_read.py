# misconception: each row that was read is in the weights
# says: all rows that were read


def counts(attempts):
    found = {}
    for attempt in attempts:
        for worker in attempt:
            for _, rows in worker:
                for row in rows:
                    found[row] = found.get(row, 0) + 1
    return found
