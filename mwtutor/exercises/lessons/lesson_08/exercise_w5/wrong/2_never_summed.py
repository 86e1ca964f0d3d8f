# misconception: each worker applies its own gradient
# says: In your answer, each worker applies only its own gradient, even inside the scope.


def after_step(weights, gradients, rate, inside):
    return [weight - rate * own for weight, own in zip(weights, gradients, strict=True)]
