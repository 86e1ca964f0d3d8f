# misconception: each worker needs only the weights that it updates
# says: but the others' do not arrive


def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    zeros = np.zeros(-len(weights) % workers)
    padded = np.append(weights, zeros)
    size = len(padded) // workers
    mean = reduce_scatter(np.append(gradient, zeros)) / workers
    padded[me * size : (me + 1) * size] -= update(mean)
    return padded[: len(weights)]
