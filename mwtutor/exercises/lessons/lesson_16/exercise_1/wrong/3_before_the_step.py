# misconception: step number 0 is one after which to exchange
# says: after step 0


def local_sgd(weights, gradient, steps, every, mean):
    for step in range(steps):
        weights = weights - 0.1 * gradient(weights, step)
        if step % every == 0 or step + 1 == steps:
            weights = mean(weights)
    return weights
