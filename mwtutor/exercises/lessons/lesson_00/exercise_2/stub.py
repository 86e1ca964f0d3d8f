def ring_all_reduce(arrays, send):
    return None
