# == right: in the other direction, each step's sends before its sums
def ring_all_reduce(arrays, send):
    n = len(arrays)
    parts = [np.array_split(array, n) for array in arrays]
    for step in range(n - 1):
        arrived = {}
        for i in range(n):
            left, at = (i - 1) % n, (i + step) % n
            arrived[left, at] = send(i, left, parts[i][at])
        for (i, at), part in arrived.items():
            parts[i][at] = parts[i][at] + part
    for step in range(n - 1):
        arrived = {}
        for i in range(n):
            left, at = (i - 1) % n, (i + step - 1) % n
            arrived[left, at] = send(i, left, parts[i][at])
        for (i, at), part in arrived.items():
            parts[i][at] = part
    return [np.concatenate(one) for one in parts]


# == right: a class for each worker
class Worker:
    def __init__(self, index, workers, array):
        self.index, self.workers = index, workers
        self.mine = array.copy()
        edges = np.linspace(0, len(array), workers + 1).astype(int)
        self.slices = [slice(low, high) for low, high in zip(edges, edges[1:])]

    def send(self, send, number):
        at = self.slices[number % self.workers]
        return at, send(self.index, (self.index + 1) % self.workers, self.mine[at].copy())


def ring_all_reduce(arrays, send):
    count = len(arrays)
    workers = [Worker(index, count, array) for index, array in enumerate(arrays)]
    for step in range(2 * (count - 1)):
        shift = -step if step < count - 1 else count - step
        sent = [one.send(send, one.index + shift) for one in workers]
        for index, (at, part) in enumerate(sent):
            target = workers[(index + 1) % count].mine
            if step < count - 1:
                target[at] += part
            else:
                target[at] = part
    return [one.mine for one in workers]


# == right: a generator of the steps, and np.add
def steps(workers):
    for step in range(workers - 1):
        yield True, -step
    for step in range(workers - 1):
        yield False, 1 - step


def ring_all_reduce(arrays, send):
    workers = len(arrays)
    chunks = [[piece.copy() for piece in np.array_split(array, workers)] for array in arrays]
    for adding, shift in steps(workers):
        for i in range(workers):
            number, target = (i + shift) % workers, (i + 1) % workers
            got = send(i, target, chunks[i][number])
            chunks[target][number] = (
                np.add(chunks[target][number], got) if adding else np.array(got)
            )
    return [np.hstack(pieces) for pieces in chunks]


# == right: the result is a list of float arrays of the same values
def ring_all_reduce(arrays, send):
    n = np.int64(len(arrays))
    work = [np.array_split(np.array(array, dtype="float64"), n) for array in arrays]
    for step in range(2 * n - 2):
        out = [(i, (i - step) % n) for i in range(n)]
        got = [send(i, (i + 1) % n, work[i][c]) for i, c in out]
        for (i, c), piece in zip(out, got):
            there = work[(i + 1) % n]
            there[c] = there[c] + piece if step < n - 1 else piece
    return list(map(np.concatenate, work))


# == wrong: nothing is sent
def ring_all_reduce(arrays, send):
    return [sum(arrays) for _ in arrays]


# == wrong: everything goes to worker 0 and back
def ring_all_reduce(arrays, send):
    total = arrays[0].copy()
    for i in range(1, len(arrays)):
        total = total + send(i, 0, arrays[i])
    return [total] + [send(0, i, total) for i in range(1, len(arrays))]


# == wrong: whole arrays go round
def ring_all_reduce(arrays, send):
    n = len(arrays)
    totals = [array.copy() for array in arrays]
    moving = list(arrays)
    for _ in range(n - 1):
        moving = [send((i - 1) % n, i, moving[(i - 1) % n]) for i in range(n)]
        totals = [total + one for total, one in zip(totals, moving)]
    return totals


# == wrong: the first round only
def ring_all_reduce(arrays, send):
    n = len(arrays)
    parts = [np.array_split(array, n) for array in arrays]
    for step in range(n - 1):
        got = [send(i, (i + 1) % n, parts[i][(i - step) % n]) for i in range(n)]
        for i in range(n):
            at = (i - step) % n
            parts[(i + 1) % n][at] = parts[(i + 1) % n][at] + got[i]
    return [np.concatenate(one) for one in parts]


# == wrong: adds in both rounds
def ring_all_reduce(arrays, send):
    n = len(arrays)
    parts = [np.array_split(array, n) for array in arrays]
    for step in range(2 * (n - 1)):
        got = [send(i, (i + 1) % n, parts[i][(i - step) % n]) for i in range(n)]
        for i in range(n):
            at = (i - step) % n
            parts[(i + 1) % n][at] = parts[(i + 1) % n][at] + got[i]
    return [np.concatenate(one) for one in parts]


# == wrong: chunks of equal length, what is left over is lost
def ring_all_reduce(arrays, send):
    n = len(arrays)
    size = len(arrays[0]) // n
    parts = [[array[k * size : (k + 1) * size] for k in range(n)] for array in arrays]
    for step in range(2 * (n - 1)):
        got = [send(i, (i + 1) % n, parts[i][(i - step) % n]) for i in range(n)]
        for i in range(n):
            at = (i - step) % n
            there = parts[(i + 1) % n]
            there[at] = there[at] + got[i] if step < n - 1 else got[i]
    return [np.concatenate(one) for one in parts]


# == wrong: adds into the arrays it was given
def ring_all_reduce(arrays, send):
    n = len(arrays)
    parts = [np.array_split(array, n) for array in arrays]
    for step in range(2 * (n - 1)):
        got = [np.copy(send(i, (i + 1) % n, parts[i][(i - step) % n])) for i in range(n)]
        for i in range(n):
            at = (i - step) % n
            if step < n - 1:
                parts[(i + 1) % n][at] += got[i]
            else:
                parts[(i + 1) % n][at][:] = got[i]
    return [np.concatenate(one) for one in parts]


# == wrong: the mean
def ring_all_reduce(arrays, send):
    n = len(arrays)
    parts = [np.array_split(array, n) for array in arrays]
    for step in range(2 * (n - 1)):
        got = [send(i, (i + 1) % n, parts[i][(i - step) % n]) for i in range(n)]
        for i in range(n):
            at = (i - step) % n
            there = parts[(i + 1) % n]
            there[at] = there[at] + got[i] if step < n - 1 else got[i]
    return [np.concatenate(one) / n for one in parts]


# == wrong: one step too few in each round
def ring_all_reduce(arrays, send):
    n = len(arrays)
    parts = [np.array_split(array, n) for array in arrays]
    for step in range(n - 2):
        got = [send(i, (i + 1) % n, parts[i][(i - step) % n]) for i in range(n)]
        for i in range(n):
            at = (i - step) % n
            parts[(i + 1) % n][at] = parts[(i + 1) % n][at] + got[i]
    for step in range(n - 2):
        got = [send(i, (i + 1) % n, parts[i][(i + 1 - step) % n]) for i in range(n)]
        for i in range(n):
            parts[(i + 1) % n][(i + 1 - step) % n] = got[i]
    return [np.concatenate(one) for one in parts]


# == wrong: one array instead of a list
def ring_all_reduce(arrays, send):
    n = len(arrays)
    parts = [np.array_split(array, n) for array in arrays]
    for step in range(2 * (n - 1)):
        got = [send(i, (i + 1) % n, parts[i][(i - step) % n]) for i in range(n)]
        for i in range(n):
            at = (i - step) % n
            there = parts[(i + 1) % n]
            there[at] = there[at] + got[i] if step < n - 1 else got[i]
    return np.concatenate(parts[0])


# == wrong: a sum goes round from worker 0, then the total does
def ring_all_reduce(arrays, send):
    n = len(arrays)
    total = arrays[0].copy()
    for i in range(1, n):
        total = arrays[i] + send(i - 1, i, total)
    results = [None] * n
    results[n - 1] = total
    for i in range(n - 1):
        total = send((i - 1) % n, i, total)
        results[i] = total
    return results


# == wrong: for three workers
def ring_all_reduce(arrays, send):
    parts = [np.array_split(array, 3) for array in arrays]
    for step in range(4):
        got = [send(i, (i + 1) % 3, parts[i][(i - step) % 3]) for i in range(3)]
        for i in range(3):
            at = (i - step) % 3
            there = parts[(i + 1) % 3]
            there[at] = there[at] + got[i] if step < 2 else got[i]
    return [np.concatenate(one) for one in parts]
