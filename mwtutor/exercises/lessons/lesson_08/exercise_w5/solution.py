def after_step(weights, gradients, rate, inside):
    if inside:
        gradients = [sum(gradients)] * len(gradients)
    return [weight - rate * own for weight, own in zip(weights, gradients)]
