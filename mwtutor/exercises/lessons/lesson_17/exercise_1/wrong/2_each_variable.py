# misconception: dividing each variable evenly divides the whole vector evenly
# says: which comes after numbers of


def kept(sizes, worker, workers):
    pairs = []
    for size in sizes:
        begin = worker * (size // workers) + min(worker, size % workers)
        pairs.append((begin, begin + size // workers + (worker < size % workers)))
    return pairs
