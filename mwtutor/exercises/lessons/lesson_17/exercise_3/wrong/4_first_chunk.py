# misconception: the worker's chunk is always the first one
# says: starts from worker 0's chunk


def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    zeros = np.zeros(-len(weights) % workers)
    mean = reduce_scatter(np.append(gradient, zeros)) / workers
    share = np.append(weights, zeros)[: len(mean)] - update(mean)
    return all_gather(share)[: len(weights)]
