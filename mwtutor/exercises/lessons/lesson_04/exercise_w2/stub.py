def push(name, value, workers):
    return None
