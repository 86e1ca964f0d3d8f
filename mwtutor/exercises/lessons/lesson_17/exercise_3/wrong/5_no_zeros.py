# misconception: the length is always a multiple of the number of workers
# says: not a multiple of


def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    size = len(weights) // workers
    mean = reduce_scatter(gradient) / workers
    return all_gather(weights[me * size : (me + 1) * size] - update(mean))
