def rows_of(update, batch, rows):
    first = update * batch
    return [(first + number) % rows for number in range(batch)]
