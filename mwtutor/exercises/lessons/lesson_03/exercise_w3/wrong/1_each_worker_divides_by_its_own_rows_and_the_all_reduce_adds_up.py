# misconception: each worker divides by its own rows and the all-reduce adds up
# says: Each worker divided only by its own number of rows, so the sum is too large.


def after_all_reduce(weights, parts, rate):
    total = sum(np.mean(part, axis=0) for part in parts)
    return [weights - rate * total for _ in parts]
