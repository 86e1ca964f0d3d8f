# misconception: a row is read or it is not
# says: Your list shows whether a row was read, not how often.


def times_read(found, rows):
    read = {row for steps in found for part in steps for row in part}
    return [int(row in read) for row in range(rows)]
