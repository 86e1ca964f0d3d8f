# misconception: row numbers continue after the last row
# says: The numbers continue after the last row, but the data is repeated: row 0 follows.


def rows_of(update, batch, rows):
    return list(range(update * batch, (update + 1) * batch))
