def local_sgd(weights, gradient, steps, every, mean):
    return None
