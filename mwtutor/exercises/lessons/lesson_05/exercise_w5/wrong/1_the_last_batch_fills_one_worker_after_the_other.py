# misconception: the last batch fills one worker after the other
# says: Your answer divides the last batch like a full one, so the first workers get most of it.


def step_sizes(rows, batch, workers, drop):
    found, each = [], -(-batch // workers)
    for left in range(rows, batch - 1 if drop else 0, -batch):
        taken = min(batch, left)
        found.append([max(0, min(each, taken - each * worker)) for worker in range(workers)])
    return found
