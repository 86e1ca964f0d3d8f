# misconception: a ring passes on whole arrays
# says: Are whole arrays passed on


def ring_all_reduce(arrays, send):
    workers = len(arrays)
    totals = [array.copy() for array in arrays]
    passing = [array.copy() for array in arrays]
    for _ in range(workers - 1):
        passing = [send((i - 1) % workers, i, passing[i - 1]) for i in range(workers)]
        totals = [total + array for total, array in zip(totals, passing)]
    return totals
