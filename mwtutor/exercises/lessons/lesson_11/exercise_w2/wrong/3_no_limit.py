# misconception: there may be more parts than servers
# says: There are more parts than `max_shards` allows.


def rows_of_parts(rows, row_bytes, min_bytes, servers):
    parts = min(-(-rows * row_bytes // min_bytes), rows)
    size, more = divmod(rows, parts)
    return [size + (part < more) for part in range(parts)]
