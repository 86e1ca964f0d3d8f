# misconception: the mean of the means is the mean
# says: That is the mean of the workers' means: a row counts more on a worker that has fewer rows.


def after_all_reduce(weights, parts, rate):
    mean = np.mean([np.mean(part, axis=0) for part in parts], axis=0)
    return [weights - rate * mean for _ in parts]
