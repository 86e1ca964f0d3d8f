# misconception: the last part gets the remainder
# says: The parts are as many as they should be, but all remaining rows are in the last one.


def rows_of_parts(rows, row_bytes, min_bytes, servers):
    parts = min(-(-rows * row_bytes // min_bytes), servers, rows)
    size = rows // parts
    return [size] * (parts - 1) + [rows - size * (parts - 1)]
