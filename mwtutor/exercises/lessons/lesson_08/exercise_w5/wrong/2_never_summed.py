# misconception: each worker applies its own gradient
# says: Inside the scope, too, each worker applies only its own gradient.


def after_step(weights, gradients, rate, inside):
    return [weight - rate * own for weight, own in zip(weights, gradients, strict=True)]
