# misconception: if the first layer agrees, all do
# says: one weight of array 1


def differ(processes):
    return any(np.abs(other[0] - processes[0][0]).max() > 0.001 for other in processes[1:])


def verdict(first, last):
    return "apart" if differ(last) else "together" if differ(first) else "unclear"
