# misconception: a gradient can always be cut into equal chunks
# says: the end of the result is wrong


def ring_all_reduce(arrays, send):
    workers = len(arrays)
    size = len(arrays[0]) // workers
    have = [array.copy() for array in arrays]
    for add in (True, False):
        for step in range(workers - 1):
            for worker in range(workers):
                right = (worker + 1) % workers
                chunk = (worker - step + (0 if add else 1)) % workers
                place = slice(chunk * size, (chunk + 1) * size)
                arrived = send(worker, right, have[worker][place])
                have[right][place] = arrived + (have[right][place] if add else 0)
    return have
