# misconception: local SGD exchanges gradients, only more rarely
# says: as if the workers had exchanged the last step's gradients


def local_sgd(weights, gradient, steps, every, mean):
    for step in range(steps):
        change = gradient(weights, step)
        if (step + 1) % every == 0 or step + 1 == steps:
            change = mean(change)
        weights = weights - 0.1 * change
    return weights
