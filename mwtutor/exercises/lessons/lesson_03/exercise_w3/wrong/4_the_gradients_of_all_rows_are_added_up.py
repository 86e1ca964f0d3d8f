# misconception: the gradients of all rows are added up
# says: The gradients of all rows were added up and never divided.


def after_all_reduce(weights, parts, rate):
    total = sum(np.sum(part, axis=0) for part in parts)
    return [weights - rate * total for _ in parts]
