# misconception: what is not read need not be counted
# says: The list has no place for rows that nobody read.


def times_read(found, rows):
    read = [row for steps in found for part in steps for row in part]
    return [read.count(row) for row in sorted(set(read))]
