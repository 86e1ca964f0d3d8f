def compare(a, b, terms, sizes):
    return None
