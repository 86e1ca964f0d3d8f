def data_order(parts):
    return None
