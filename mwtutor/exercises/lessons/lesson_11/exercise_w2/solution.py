def rows_of_parts(rows, row_bytes, min_bytes, servers):
    parts = min(-(-rows * row_bytes // min_bytes), servers, rows)
    size, more = divmod(rows, parts)
    return [size + (part < more) for part in range(parts)]
