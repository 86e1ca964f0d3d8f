# misconception: the sum of the gradients of all rows will do
# says: the sum over all rows


def mean_gradient(gradient, rows, all_reduce):
    return all_reduce(gradient * rows if rows else np.zeros_like(gradient))
