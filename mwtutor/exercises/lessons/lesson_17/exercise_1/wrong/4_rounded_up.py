# misconception: whoever comes last can keep what is left
# says: more numbers than


def kept(sizes, worker, workers):
    share = -(-sum(sizes) // workers)
    pairs, offset = [], 0
    for size in sizes:
        ends = (worker * share, (worker + 1) * share)
        pairs.append(tuple(min(max(at - offset, 0), size) for at in ends))
        offset += size
    return pairs
