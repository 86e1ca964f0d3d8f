# misconception: reduce-scatter returns a mean
# says: is the sum over all workers, not the mean


def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    zeros = np.zeros(-len(weights) % workers)
    padded = np.append(weights, zeros)
    size = len(padded) // workers
    share = padded[me * size : (me + 1) * size] - update(reduce_scatter(np.append(gradient, zeros)))
    return all_gather(share)[: len(weights)]
