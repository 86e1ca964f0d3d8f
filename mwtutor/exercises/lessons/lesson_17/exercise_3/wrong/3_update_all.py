# misconception: gathering the gradients saves as much as gathering the weights
# says: numbers for all


def zero_step(weights, gradient, me, workers, update, reduce_scatter, all_gather):
    zeros = np.zeros(-len(weights) % workers)
    mean = all_gather(reduce_scatter(np.append(gradient, zeros)) / workers)[: len(weights)]
    return weights - update(mean)
