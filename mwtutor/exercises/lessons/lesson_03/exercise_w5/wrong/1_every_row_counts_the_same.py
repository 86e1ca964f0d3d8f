# misconception: every row counts the same
# says: All rows count the same here, as in one process.


def row_weights(rows, replicas):
    return [1 / rows] * rows
