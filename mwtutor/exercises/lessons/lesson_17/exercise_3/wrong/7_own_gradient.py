# misconception: the worker that keeps a share uses its own gradient
# says: each worker's own gradient


def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    zeros = np.zeros(-len(weights) % workers)
    padded, own = np.append(weights, zeros), np.append(gradient, zeros)
    mine = slice(me * len(padded) // workers, (me + 1) * len(padded) // workers)
    return all_gather(padded[mine] - update(own[mine]))[: len(weights)]
