# misconception: the gradient is one number
# says: Every weight moves by the same number: each weight has its own mean.


def after_step(weights, gradients, rate):
    return weights - rate * np.mean(gradients)
