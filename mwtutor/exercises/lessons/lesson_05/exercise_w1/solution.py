def times_read(found, rows):
    read = [row for steps in found for part in steps for row in part]
    return [read.count(row) for row in range(rows)]
