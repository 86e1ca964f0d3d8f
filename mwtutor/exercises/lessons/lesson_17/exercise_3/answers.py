# == right: gathers the changes instead of the weights
def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    count = len(weights)
    size = -(-count // workers)
    padded = np.zeros(size * workers)
    padded[:count] = gradient / workers
    changes = all_gather(update(reduce_scatter(padded)))
    return (weights - changes[:count]).tolist()


# == right: np.pad and np.split
def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    more = (workers - len(weights) % workers) % workers
    share = np.split(np.pad(weights, (0, more)), workers)[me]
    mean = np.asarray(reduce_scatter(np.pad(gradient, (0, more)))) / workers
    return np.asarray(all_gather(share - update(mean)))[: weights.size]


# == right: only real weights are updated, and zeros travel
def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    size = -(-len(weights) // workers)
    mine = slice(me * size, min((me + 1) * size, len(weights)))
    padded = np.resize(np.append(gradient, np.zeros(size * workers)), size * workers)
    mean = reduce_scatter(padded)[: len(weights[mine])] / workers
    share = np.zeros(size)
    share[: len(mean)] = weights[mine] - update(mean)
    return all_gather(share)[: len(weights)]


# == wrong: returns only the share
def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    zeros = np.zeros(-len(weights) % workers)
    size = (len(weights) + len(zeros)) // workers
    mean = reduce_scatter(np.append(gradient, zeros)) / workers
    return np.append(weights, zeros)[me * size : (me + 1) * size] - update(mean)


# == wrong: gathers all gradients
def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    mean = np.reshape(all_gather(gradient), (workers, -1)).mean(axis=0)
    return weights - update(mean)


# == wrong: gathers all gradients, and updates a share
# says: are enough
def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    zeros = np.zeros(-len(weights) % workers)
    size = (len(weights) + len(zeros)) // workers
    mine = slice(me * size, (me + 1) * size)
    mean = np.reshape(all_gather(np.append(gradient, zeros)), (workers, -1)).mean(axis=0)
    return all_gather(np.append(weights, zeros)[mine] - update(mean[mine]))[: len(weights)]


# == wrong: returns the weights unchanged
def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    return weights


# == wrong: adds
# says: added instead of subtracted
def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    zeros = np.zeros(-len(weights) % workers)
    size = (len(weights) + len(zeros)) // workers
    mean = reduce_scatter(np.append(gradient, zeros)) / workers
    return all_gather(np.append(weights, zeros)[me * size : (me + 1) * size] + update(mean))[
        : len(weights)
    ]


# == wrong: only worker 0 gathers
# says: waits in a call
def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    zeros = np.zeros(-len(weights) % workers)
    size = (len(weights) + len(zeros)) // workers
    mean = reduce_scatter(np.append(gradient, zeros)) / workers
    share = np.append(weights, zeros)[me * size : (me + 1) * size] - update(mean)
    return all_gather(share)[: len(weights)] if me == 0 else weights


# == wrong: updates twice
# says: 2 times
def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    zeros = np.zeros(-len(weights) % workers)
    size = (len(weights) + len(zeros)) // workers
    mean = reduce_scatter(np.append(gradient, zeros)) / workers
    update(mean)
    share = np.append(weights, zeros)[me * size : (me + 1) * size] - update(mean)
    return all_gather(share)[: len(weights)]


# == wrong: the share with a remainder is longer
# says: numbers, and worker
def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    zeros = np.zeros(-len(weights) % workers)
    mean = reduce_scatter(np.append(gradient, zeros)) / workers
    share = np.array_split(weights, workers)[me]
    return all_gather(share - update(mean[: len(share)]))


# == wrong: the gradients are exchanged, and the weights forgotten
def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    zeros = np.zeros(-len(weights) % workers)
    return all_gather(update(reduce_scatter(np.append(gradient, zeros)) / workers))[: len(weights)]


# == wrong: through a global variable
shared = {}


def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    zeros = np.zeros(-len(weights) % workers)
    size = (len(weights) + len(zeros)) // workers
    mean = reduce_scatter(np.append(gradient, zeros)) / workers
    shared[me] = np.append(weights, zeros)[me * size : (me + 1) * size] - update(mean)
    all_gather(np.zeros(size))
    return np.concatenate([shared[one] for one in range(workers)])[: len(weights)]


# == wrong: text for the exchange
# says: something other than a vector
def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    return all_gather(str(gradient))


# == wrong: text as the weights
def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    return "new"


# == wrong: raises
def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    raise RuntimeError(f"worker {me}")


# == right: zeros at the beginning
def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    lack = -len(weights) % workers
    gradient, padded = np.pad(gradient, (lack, 0)), np.pad(weights, (lack, 0))
    size = len(padded) // workers
    mine = reduce_scatter(gradient / workers)
    return all_gather(padded[me * size : (me + 1) * size] - update(mine))[lack:]


# == right: with 32 bits
def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    size = -(-len(weights) // workers)
    padded = np.zeros((2, size * workers), "float32")
    padded[0, : len(weights)] = weights
    padded[1, : len(weights)] = gradient
    mean = reduce_scatter(padded[1]) / workers
    chunk = padded[0].reshape(workers, size)[me] - update(mean)
    return np.resize(all_gather(chunk), len(weights))
