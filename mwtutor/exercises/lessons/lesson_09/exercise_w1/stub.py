def rows_of(update, batch, rows):
    """The numbers of the rows that an update takes, if the data is `rows` rows in order, with
    `.repeat().batch(batch)`. Rows and updates are counted from 0.

    Returns a list of `batch` row numbers.
    """
    return None
