# == right: all rows in one array
def after_all_reduce(weights, parts, rate):
    new = weights - rate * np.concatenate(parts).mean(axis=0)
    return np.array([new] * len(parts))


# == right: weighted means, in a tuple
def after_all_reduce(weights, parts, rate):
    sizes = [len(part) for part in parts]
    mean = np.average([np.mean(part, axis=0) for part in parts], axis=0, weights=sizes)
    return tuple((weights - rate * mean).tolist() for _ in parts)


# == right: a generator
def after_all_reduce(weights, parts, rate):
    rows = [row for part in parts for row in part]
    yield from [weights - rate * sum(rows) / len(rows)] * len(parts)


# == wrong: always two workers
def after_all_reduce(weights, parts, rate):
    rows = np.concatenate(parts[:2])
    return [weights - rate * rows.mean(axis=0)] * 2


# == wrong: only worker 0's gradient
def after_all_reduce(weights, parts, rate):
    return [weights - rate * np.mean(parts[0], axis=0) for _ in parts]


# == wrong: one worker's weights
def after_all_reduce(weights, parts, rate):
    return weights - rate * np.concatenate(parts).mean(axis=0)


# == wrong: divided once more
def after_all_reduce(weights, parts, rate):
    new = weights - rate * np.concatenate(parts).mean(axis=0) / len(parts)
    return [new for _ in parts]


# == wrong: the rate is left out
def after_all_reduce(weights, parts, rate):
    return [weights - np.concatenate(parts).mean(axis=0)] * len(parts)


# == wrong: as if all parts were as large as the first
def after_all_reduce(weights, parts, rate):
    rows = len(parts[0]) * len(parts)
    total = sum(np.sum(part, axis=0) / rows for part in parts)
    return [weights - rate * total for _ in parts]


# == wrong: each row's own step
def after_all_reduce(weights, parts, rate):
    return [weights - rate * row for part in parts for row in part]
