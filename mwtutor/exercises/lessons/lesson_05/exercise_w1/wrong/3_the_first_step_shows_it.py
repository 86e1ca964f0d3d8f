# misconception: the first step shows it
# says: Only the first step of each worker was counted.


def times_read(found, rows):
    read = [row for steps in found for row in steps[0]]
    return [read.count(row) for row in range(rows)]
