# == right: in blocks
def local_sgd(weights, gradient, steps, every, mean):
    for begin in range(0, steps, every):
        for step in range(begin, min(begin + every, steps)):
            weights = weights - 0.1 * gradient(weights, step)
        weights = mean(weights)
    return weights


# == right: with a counter, on a copy, as a list
def local_sgd(weights, gradient, steps, every, mean):
    own, since = np.array(weights), 0
    for step in range(steps):
        own -= 0.1 * np.asarray(gradient(own.copy(), step))
        since += 1
        if since == every:
            own, since = np.array(mean(own)), 0
    if since:
        own = mean(own)
    return list(own)


# == right: recursive
def local_sgd(weights, gradient, steps, every, mean, step=0):
    if step == steps:
        return weights
    weights = weights - gradient(weights, step) / 10
    if step % every == every - 1 or step == steps - 1:
        weights = mean(weights)
    return local_sgd(weights, gradient, steps, every, mean, step + 1)


# == wrong: exchanges in every step
def local_sgd(weights, gradient, steps, every, mean):
    for step in range(steps):
        weights = mean(weights - 0.1 * gradient(weights, step))
    return weights


# == wrong: never exchanges
def local_sgd(weights, gradient, steps, every, mean):
    for step in range(steps):
        weights = weights - 0.1 * gradient(weights, step)
    return weights


# == wrong: only at the end
def local_sgd(weights, gradient, steps, every, mean):
    for step in range(steps):
        weights = weights - 0.1 * gradient(weights, step)
    return mean(weights)


# == wrong: changes the weights that it was given
def local_sgd(weights, gradient, steps, every, mean):
    for step in range(steps):
        weights -= 0.1 * gradient(weights, step)
        if (step + 1) % every == 0 or step + 1 == steps:
            weights[:] = mean(weights)
    return weights


# == wrong: another rate
def local_sgd(weights, gradient, steps, every, mean):
    for step in range(steps):
        weights = weights - gradient(weights, step)
        if (step + 1) % every == 0 or step + 1 == steps:
            weights = mean(weights)
    return weights


# == wrong: drops the mean
def local_sgd(weights, gradient, steps, every, mean):
    for step in range(steps):
        weights = weights - 0.1 * gradient(weights, step)
        if (step + 1) % every == 0 or step + 1 == steps:
            mean(weights)
    return weights


# == wrong: raises
def local_sgd(weights, gradient, steps, every, mean):
    return weights / None


# == wrong: steps from 1
def local_sgd(weights, gradient, steps, every, mean):
    for step in range(1, steps + 1):
        weights = weights - 0.1 * gradient(weights, step)
        if step % every == 0 or step == steps:
            weights = mean(weights)
    return weights


# == wrong: exchanges before a step
def local_sgd(weights, gradient, steps, every, mean):
    for step in range(steps):
        if step % every == 0:
            weights = mean(weights)
        weights = weights - 0.1 * gradient(weights, step)
    return mean(weights)


# == right: exchanges the changes
def local_sgd(weights, gradient, steps, every, mean):
    start = own = weights
    for step in range(steps):
        own = own - 0.1 * gradient(own, step)
        if (step + 1) % every == 0 or step + 1 == steps:
            start = own = start + mean(own - start)
    return own


# == wrong: the result of mean is not used, except at the end
def local_sgd(weights, gradient, steps, every, mean):
    for step in range(steps):
        weights = weights - 0.1 * gradient(weights, step)
        if (step + 1) % every == 0 and step + 1 < steps:
            mean(weights)
    return mean(weights) if steps else weights


# == right: with 32 bits
def local_sgd(weights, gradient, steps, every, mean):
    weights = np.array(weights, "float32")
    for step in range(steps):
        weights -= 0.1 * gradient(weights, step).astype("float32")
        if (step + 1) % every == 0 or step + 1 == steps:
            weights = mean(weights).astype("float32")
    return weights
