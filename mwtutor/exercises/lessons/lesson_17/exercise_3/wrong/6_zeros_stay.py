# misconception: the zeros do no harm
# says: zeros at the end


def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    zeros = np.zeros(-len(weights) % workers)
    padded = np.append(weights, zeros)
    size = len(padded) // workers
    mean = reduce_scatter(np.append(gradient, zeros)) / workers
    return all_gather(padded[me * size : (me + 1) * size] - update(mean))
