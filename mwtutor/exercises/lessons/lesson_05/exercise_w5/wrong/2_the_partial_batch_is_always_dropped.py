# misconception: the partial batch is always dropped
# says: In your answer, the partial batch is dropped without `drop`.


def step_sizes(rows, batch, workers, drop):
    each = -(-batch // workers)
    step = [max(0, min(each, batch - each * worker)) for worker in range(workers)]
    return [step] * (rows // batch)
