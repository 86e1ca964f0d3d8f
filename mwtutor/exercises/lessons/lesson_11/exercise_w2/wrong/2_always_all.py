# misconception: every server gets a part
# says: In your answer, each server gets a part, however small the table is.


def rows_of_parts(rows, row_bytes, min_bytes, servers):
    parts = min(servers, rows)
    size, more = divmod(rows, parts)
    return [size + (part < more) for part in range(parts)]
