# misconception: zero rows times any gradient is zero
# says: is NaN


def mean_gradient(gradient, rows, all_reduce):
    total = all_reduce(np.append(gradient * rows, rows))
    return total[:-1] / total[-1]
