# misconception: the first update is number 1
# says: These are the rows of the previous update.


def rows_of(update, batch, rows):
    return [((update - 1) * batch + number) % rows for number in range(batch)]
