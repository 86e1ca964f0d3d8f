def step_sizes(rows, batch, workers, drop):
    found = []
    for left in range(rows, batch - 1 if drop else 0, -batch):
        taken = min(batch, left)
        each = -(-taken // workers)
        found.append([max(0, min(each, taken - each * worker)) for worker in range(workers)])
    return found
