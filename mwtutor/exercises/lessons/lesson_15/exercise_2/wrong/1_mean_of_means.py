# misconception: the mean of the workers' means is the mean of all rows
# says: each worker counts the same


def mean_gradient(gradient, rows, all_reduce):
    total = all_reduce(np.append(gradient if rows else np.zeros_like(gradient), rows > 0))
    return total[:-1] / total[-1]
