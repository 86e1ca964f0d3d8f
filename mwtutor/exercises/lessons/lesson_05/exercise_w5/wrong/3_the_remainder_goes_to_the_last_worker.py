# misconception: the remainder goes to the last worker
# says: In your answer, the quotient is rounded down, and the last worker gets more than the others.


def step_sizes(rows, batch, workers, drop):
    found = []
    for left in range(rows, batch - 1 if drop else 0, -batch):
        taken = min(batch, left)
        each = taken // workers
        found.append([each] * (workers - 1) + [taken - each * (workers - 1)])
    return found
