def in_order(parts):
    return None
