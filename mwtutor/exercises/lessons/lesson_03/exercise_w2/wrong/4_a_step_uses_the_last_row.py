# misconception: a step uses the last row
# says: Only the gradient of the last row was used.


def after_step(weights, gradients, rate):
    return weights - rate * np.array(gradients)[-1]
