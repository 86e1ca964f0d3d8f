# misconception: the gradient is one number
# says: Every weight moves by the same number: each weight has a mean of its own.


def after_step(weights, gradients, rate):
    return weights - rate * np.mean(gradients)
