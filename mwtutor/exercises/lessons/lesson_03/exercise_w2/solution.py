def after_step(weights, gradients, rate):
    mean = np.mean(gradients, axis=0)
    return weights - rate * mean
