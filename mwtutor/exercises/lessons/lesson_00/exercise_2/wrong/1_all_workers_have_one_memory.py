# misconception: what is in one memory here is in one memory on a cluster
# says: nothing was sent


def ring_all_reduce(arrays, send):
    return [sum(arrays) for _ in arrays]
