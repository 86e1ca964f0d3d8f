# misconception: one worker shows it
# says: Only worker 0 was counted: the others' rows are missing.


def times_read(found, rows):
    read = [row for part in found[0] for row in part]
    return [read.count(row) for row in range(rows)]
