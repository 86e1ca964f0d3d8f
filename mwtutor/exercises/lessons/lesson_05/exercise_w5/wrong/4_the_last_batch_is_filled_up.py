# misconception: the last batch is filled up
# says: In your answer, the last batch has as many rows as the others, but no rows are added to it.


def step_sizes(rows, batch, workers, drop):
    each = -(-batch // workers)
    step = [max(0, min(each, batch - each * worker)) for worker in range(workers)]
    return [step] * (rows // batch if drop else -(-rows // batch))
