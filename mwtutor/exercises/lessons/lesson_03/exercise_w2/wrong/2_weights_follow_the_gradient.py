# misconception: weights follow the gradient
# says: That step goes uphill: the loss grows along the gradient.


def after_step(weights, gradients, rate):
    return weights + rate * np.mean(gradients, axis=0)
