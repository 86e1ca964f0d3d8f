# misconception: a row is read or it is not
# says: It says whether a row was read; two workers that read the same rows look like one.


def times_read(found, rows):
    read = {row for steps in found for part in steps for row in part}
    return [int(row in read) for row in range(rows)]
