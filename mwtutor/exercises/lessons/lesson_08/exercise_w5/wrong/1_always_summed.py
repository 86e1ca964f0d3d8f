# misconception: workers of a strategy always exchange gradients
# says: In your answer, the gradients are summed outside the scope, too.


def after_step(weights, gradients, rate, inside):
    return [weight - rate * sum(gradients) for weight in weights]
