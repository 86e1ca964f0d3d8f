# misconception: each worker applies its own gradient
# says: Each worker has applied only its own gradient: their weights differ, and they train alone.


def after_all_reduce(weights, parts, rate):
    return [weights - rate * np.mean(part, axis=0) for part in parts]
