def data_order(parts):
    return [value for step in zip(*parts) for part in step for value in part]
