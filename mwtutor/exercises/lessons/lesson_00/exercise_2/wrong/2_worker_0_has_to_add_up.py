# misconception: someone has to add up, and that is worker 0
# says: worker 0 does most of the work


def ring_all_reduce(arrays, send):
    total = arrays[0].copy()
    for worker in range(1, len(arrays)):
        total = total + send(worker, 0, arrays[worker])
    return [total] + [send(0, worker, total) for worker in range(1, len(arrays))]
