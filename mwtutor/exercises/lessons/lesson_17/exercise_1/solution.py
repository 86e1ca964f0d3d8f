def kept(sizes, worker, workers):
    count = sum(sizes)
    first = worker * (count // workers) + min(worker, count % workers)
    last = first + count // workers + (worker < count % workers)
    pairs, offset = [], 0
    for size in sizes:
        begin, end = [min(max(at - offset, 0), size) for at in (first, last)]
        pairs.append((begin, end))
        offset += size
    return pairs
