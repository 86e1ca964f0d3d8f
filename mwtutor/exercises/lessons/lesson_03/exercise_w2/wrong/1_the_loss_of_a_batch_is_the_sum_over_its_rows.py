# misconception: the loss of a batch is the sum over its rows
# says: That is a step along the sum of the gradients: it grows with the batch.


def after_step(weights, gradients, rate):
    return weights - rate * np.sum(gradients, axis=0)
