# == right: lists and loops
def after_step(weights, gradients, rate):
    return [w - rate * sum(column) / len(column) for w, column in zip(weights, zip(*gradients))]


# == right: the sum, divided by the rows
def after_step(weights, gradients, rate):
    return weights - rate / len(gradients) * sum(gradients)


# == right: row by row, into a tuple
def after_step(weights, gradients, rate):
    new = np.array(weights)
    for gradient in gradients:
        new -= rate * gradient / len(gradients)
    return tuple(new)


# == wrong: nothing moves
def after_step(weights, gradients, rate):
    return weights


# == wrong: the learning rate is left out
def after_step(weights, gradients, rate):
    return weights - np.mean(gradients, axis=0)


# == wrong: always four rows
def after_step(weights, gradients, rate):
    return weights - rate * np.sum(gradients, axis=0) / 4


# == wrong: a constant rate
def after_step(weights, gradients, rate):
    return weights - 0.1 * np.mean(gradients, axis=0)


# == wrong: rate and weights swapped
def after_step(weights, gradients, rate):
    return rate - weights * np.mean(gradients, axis=0)


# == wrong: the mean along the other axis
def after_step(weights, gradients, rate):
    return weights - rate * np.mean(gradients, axis=1)[0]


# == wrong: the step instead of the weights
def after_step(weights, gradients, rate):
    return -rate * np.mean(gradients, axis=0)
