def rows_of(update, batch, rows):
    """The row numbers that an update takes, counted from 0, if the data are `rows` rows in order,
    with `.repeat().batch(batch)`.

    Returns a list of `batch` row numbers.
    """
    return None
