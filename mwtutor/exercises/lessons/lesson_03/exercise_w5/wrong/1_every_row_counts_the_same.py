# misconception: every row counts the same
# says: In your answer, all rows count the same, as in one process.


def row_weights(rows, replicas):
    return [1 / rows] * rows
