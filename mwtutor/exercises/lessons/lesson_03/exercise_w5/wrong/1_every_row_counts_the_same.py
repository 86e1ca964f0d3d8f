# misconception: every row counts the same
# says: All rows count the same here, as in one process.


def counted(rows, replicas):
    return [1 / rows] * rows
