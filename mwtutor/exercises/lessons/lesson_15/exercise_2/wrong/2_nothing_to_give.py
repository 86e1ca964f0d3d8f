# misconception: a worker without rows does not need to take part
# says: 0 on worker 1


def mean_gradient(gradient, rows, all_reduce):
    if rows == 0:
        return np.zeros_like(gradient)
    total = all_reduce(np.append(gradient * rows, rows))
    return total[:-1] / total[-1]
