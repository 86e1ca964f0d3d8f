# misconception: the ring is done when every chunk has been added up
# says: but no worker has all


def ring_all_reduce(arrays, send):
    workers = len(arrays)
    chunks = [np.array_split(array.copy(), workers) for array in arrays]
    for add in (True,):
        for step in range(workers - 1):
            for worker in range(workers):
                right = (worker + 1) % workers
                chunk = (worker - step + (0 if add else 1)) % workers
                arrived = send(worker, right, chunks[worker][chunk])
                chunks[right][chunk] = chunks[right][chunk] + arrived if add else arrived
    return [np.concatenate(own) for own in chunks]
