# misconception: there is only one copy of the weight
# says: In your answer, all workers end with the first one's weight, even if theirs were different.


def after_step(weights, gradients, rate, inside):
    total = sum(gradients)
    own = [total] * len(gradients) if inside else gradients
    return [weights[0] - rate * gradient for gradient in own]
