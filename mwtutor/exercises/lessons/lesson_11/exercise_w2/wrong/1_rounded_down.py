# misconception: each part has at least min_bytes
# says: The number of parts is rounded down, but the partitioner rounds up.


def rows_of_parts(rows, row_bytes, min_bytes, servers):
    parts = max(1, min(rows * row_bytes // min_bytes, servers, rows))
    size, more = divmod(rows, parts)
    return [size + (part < more) for part in range(parts)]
