# misconception: the pairs are places in the vector
# says: is not within variable


def kept(sizes, worker, workers):
    count = sum(sizes)
    first = worker * (count // workers) + min(worker, count % workers)
    last = first + count // workers + (worker < count % workers)
    pairs, offset = [], 0
    for size in sizes:
        begin = max(first, offset)
        pairs.append((begin, max(begin, min(last, offset + size))))
        offset += size
    return pairs
