# misconception: the number of steps can be divided by the number of steps between exchanges
# says: do not have the same weights at the end


def local_sgd(weights, gradient, steps, every, mean):
    for step in range(steps):
        weights = weights - 0.1 * gradient(weights, step)
        if (step + 1) % every == 0:
            weights = mean(weights)
    return weights
