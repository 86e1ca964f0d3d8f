# == right: divmod, into tuples
def step_sizes(rows, batch, workers, drop):
    whole, left = divmod(rows, batch)
    batches = [batch] * whole + ([left] if left and not drop else [])
    ends = [[min(-(-b // workers) * k, b) for k in range(workers + 1)] for b in batches]
    return tuple(tuple(b - a for a, b in zip(one, one[1:])) for one in ends)


# == right: arrays
def step_sizes(rows, batch, workers, drop):
    batches = [min(batch, rows - first) for first in range(0, rows, batch)]
    batches = [taken for taken in batches if taken == batch or not drop]
    each = [int(np.ceil(taken / workers)) for taken in batches]
    return [np.clip(t - e * np.arange(workers), 0, e) for t, e in zip(batches, each)]


# == right: counted row by row
def step_sizes(rows, batch, workers, drop):
    for first in range(0, rows, batch):
        numbers = range(first, min(first + batch, rows))
        if drop and len(numbers) < batch:
            return
        each = (len(numbers) + workers - 1) // workers
        owners = [at // each for at in range(len(numbers))]
        yield [owners.count(worker) for worker in range(workers)]


# == wrong: drop is ignored
def step_sizes(rows, batch, workers, drop):
    found = []
    for first in range(0, rows, batch):
        taken = min(batch, rows - first)
        each = -(-taken // workers)
        found.append([max(0, min(each, taken - each * worker)) for worker in range(workers)])
    return found


# == wrong: as evenly as possible
def step_sizes(rows, batch, workers, drop):
    found = []
    for left in range(rows, batch - 1 if drop else 0, -batch):
        taken = min(batch, left)
        found.append([len(part) for part in np.array_split(np.arange(taken), workers)])
    return found


# == wrong: always two workers
def step_sizes(rows, batch, workers, drop):
    found = []
    for left in range(rows, batch - 1 if drop else 0, -batch):
        taken = min(batch, left)
        found.append([-(-taken // 2), taken // 2])
    return found


# == wrong: the global batches
def step_sizes(rows, batch, workers, drop):
    return [[min(batch, left)] for left in range(rows, batch - 1 if drop else 0, -batch)]


# == wrong: a constant
def step_sizes(rows, batch, workers, drop):
    return [[3, 2], [3, 2]] if drop else [[3, 2], [3, 2], [1, 1]]


# == wrong: drop means the opposite
def step_sizes(rows, batch, workers, drop):
    found = []
    for left in range(rows, 0 if drop else batch - 1, -batch):
        taken = min(batch, left)
        each = -(-taken // workers)
        found.append([max(0, min(each, taken - each * worker)) for worker in range(workers)])
    return found


# == wrong: worker by worker instead of step by step
def step_sizes(rows, batch, workers, drop):
    found = []
    for left in range(rows, batch - 1 if drop else 0, -batch):
        taken = min(batch, left)
        each = -(-taken // workers)
        found.append([max(0, min(each, taken - each * worker)) for worker in range(workers)])
    return [list(sizes) for sizes in zip(*found)]


# == wrong: fewer rows than a batch are no step
def step_sizes(rows, batch, workers, drop):
    found = []
    for first in range(0, rows - batch + 1 if drop or rows < batch else rows, batch):
        taken = min(batch, rows - first)
        each = -(-taken // workers)
        found.append([max(0, min(each, taken - each * worker)) for worker in range(workers)])
    return found
