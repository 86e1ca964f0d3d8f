# misconception: workers of a strategy always exchange gradients
# says: Outside the scope, too, the gradients are summed.


def after_step(weights, gradients, rate, inside):
    return [weight - rate * sum(gradients) for weight in weights]
