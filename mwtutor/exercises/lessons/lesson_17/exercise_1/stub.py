def kept(sizes, worker, workers):
    return None
