def rows_of_parts(rows, row_bytes, min_bytes, servers):
    """How `MinSizePartitioner(min_bytes, max_shards=servers)` cuts a table, whose rows have
    `row_bytes` bytes each, into parts.

    No part is empty. If parts cannot be equal, the first ones have one more row.

    Returns a list: the number of rows of each part, one number if the table is not cut.
    """
    return None
