# misconception: the last part gets the remainder
# says: The number of parts is right, but all remaining rows are in the last part.


def rows_of_parts(rows, row_bytes, min_bytes, servers):
    parts = min(-(-rows * row_bytes // min_bytes), servers, rows)
    size = rows // parts
    return [size] * (parts - 1) + [rows - size * (parts - 1)]
