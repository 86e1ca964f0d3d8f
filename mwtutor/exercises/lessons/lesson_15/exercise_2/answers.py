# == right: two exchanges
def mean_gradient(gradient, rows, all_reduce):
    own = np.nan_to_num(gradient) * rows
    count = all_reduce(np.array([float(rows)]))[0]
    return all_reduce(own) / count


# == right: a list, divided before the exchange
def mean_gradient(gradient, rows, all_reduce):
    (count,) = all_reduce(np.array([rows]))
    share = np.where(rows > 0, gradient, 0.0) * rows / count
    return all_reduce(share).tolist()


# == wrong: divides by the number of this worker's rows
def mean_gradient(gradient, rows, all_reduce):
    own = np.nan_to_num(gradient) * rows
    return all_reduce(own) / max(rows, 1)


# == wrong: its own mean
def mean_gradient(gradient, rows, all_reduce):
    all_reduce(gradient)
    return gradient


# == wrong: without an exchange
def mean_gradient(gradient, rows, all_reduce):
    return gradient


# == wrong: only workers with rows exchange the count
def mean_gradient(gradient, rows, all_reduce):
    total = all_reduce(np.nan_to_num(gradient) * rows)
    return total / all_reduce(np.array([float(rows)]))[0] if rows else total


# == wrong: shapes that differ
def mean_gradient(gradient, rows, all_reduce):
    return all_reduce(gradient * rows if rows else np.zeros(1))


# == wrong: divides by the number of workers
def mean_gradient(gradient, rows, all_reduce):
    total = all_reduce(np.append(np.nan_to_num(gradient), 1.0))
    return total[:-1] / total[-1]


# == right: from the sum, with an exchange before it that only counts
def mean_gradient(gradient, rows, all_reduce):
    everything = int(all_reduce(np.array([rows], dtype="float64")).item())
    own = np.zeros(len(gradient))
    if rows > 0:
        own += gradient * (rows / everything)
    return list(all_reduce(own))


# == wrong: no rows count as one
def mean_gradient(gradient, rows, all_reduce):
    rows = max(rows, 1)
    total = all_reduce(np.append(np.nan_to_num(gradient) * rows, rows))
    return total[:-1] / total[-1]
