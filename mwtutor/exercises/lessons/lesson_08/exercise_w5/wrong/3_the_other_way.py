# misconception: a model outside the scope is shared
# says: In your answer, gradients are summed outside the scope, and not inside.


def after_step(weights, gradients, rate, inside):
    if not inside:
        gradients = [sum(gradients)] * len(gradients)
    return [weight - rate * own for weight, own in zip(weights, gradients, strict=True)]
