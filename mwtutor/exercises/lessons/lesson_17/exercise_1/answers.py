# == right: with NumPy, one number after the other
def kept(sizes, worker, workers):
    mine = np.array_split(np.arange(sum(sizes)), workers)[worker]
    starts = np.cumsum([0, *sizes])
    return [
        tuple(np.searchsorted(mine, [start, start + size]) + (mine[0] if len(mine) else 0) - start)
        if np.any((mine >= start) & (mine < start + size))
        else (0, 0)
        for start, size in zip(starts, sizes)
    ]


# == right: the last workers get one more, and a tuple of lists
def kept(sizes, worker, workers):
    count = sum(sizes)
    first, last = worker * count // workers, (worker + 1) * count // workers
    starts = [sum(sizes[:at]) for at in range(len(sizes))]
    return tuple(
        list(np.clip([first - start, last - start], 0, size)) for start, size in zip(starts, sizes)
    )


# == right: a generator, with empty pairs at the end of a variable
def kept(sizes, worker, workers):
    share, more = divmod(sum(sizes), workers)
    ends = [share + (one < more) for one in range(workers)]
    left, skip = ends[worker], sum(ends[:worker])
    for size in sizes:
        begin = min(skip, size)
        end = min(begin + left, size)
        skip, left = skip - begin, left - (end - begin)
        yield begin, end


# == wrong: the lengths instead of the ends
def kept(sizes, worker, workers):
    count = sum(sizes)
    first, last = worker * count // workers, (worker + 1) * count // workers
    pairs, offset = [], 0
    for size in sizes:
        begin, end = [min(max(at - offset, 0), size) for at in (first, last)]
        pairs.append((begin, end - begin))
        offset += size
    return pairs


# == wrong: whole variables in turn
def kept(sizes, worker, workers):
    return [(0, size if at % workers == worker else 0) for at, size in enumerate(sizes)]


# == wrong: not limited to the variable
def kept(sizes, worker, workers):
    count = sum(sizes)
    first, last = worker * count // workers, (worker + 1) * count // workers
    return [(first, last) for _ in sizes]


# == wrong: the last worker takes what is left
def kept(sizes, worker, workers):
    count = sum(sizes)
    share = count // workers
    first, last = worker * share, count if worker == workers - 1 else (worker + 1) * share
    starts = [sum(sizes[:at]) for at in range(len(sizes))]
    return [(min(max(first - s, 0), n), min(max(last - s, 0), n)) for s, n in zip(starts, sizes)]


# == wrong: fractions
def kept(sizes, worker, workers):
    return [(size * worker / workers, size * (worker + 1) / workers) for size in sizes]


# == wrong: one pair for the whole vector
def kept(sizes, worker, workers):
    count = sum(sizes)
    return worker * count // workers, (worker + 1) * count // workers


# == wrong: text
def kept(sizes, worker, workers):
    return "half"


# == wrong: worker 0 gets the last share
def kept(sizes, worker, workers):
    count, worker = sum(sizes), workers - 1 - worker
    first, last = worker * count // workers, (worker + 1) * count // workers
    starts = [sum(sizes[:at]) for at in range(len(sizes))]
    return [(min(max(first - s, 0), n), min(max(last - s, 0), n)) for s, n in zip(starts, sizes)]


# == wrong: the shares rounded
def kept(sizes, worker, workers):
    share = round(sum(sizes) / workers)
    first, last = worker * share, (worker + 1) * share
    starts = [sum(sizes[:at]) for at in range(len(sizes))]
    return [(min(max(first - s, 0), n), min(max(last - s, 0), n)) for s, n in zip(starts, sizes)]


# == wrong: forgets where each variable begins
def kept(sizes, worker, workers):
    count = sum(sizes)
    first, last = worker * count // workers, (worker + 1) * count // workers
    return [(min(first, size), min(last, size)) for size in sizes]


# == wrong: raises
def kept(sizes, worker, workers):
    return sizes.shape
