# misconception: one more exchange at the end does no harm
# says: more than needed


def local_sgd(weights, gradient, steps, every, mean):
    for step in range(steps):
        weights = weights - 0.1 * gradient(weights, step)
        if (step + 1) % every == 0:
            weights = mean(weights)
    return mean(weights)
