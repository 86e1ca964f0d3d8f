# misconception: if processes 0 and 1 agree, all do
# says: the last of 3 processes


def differ(processes):
    return any(np.abs(a - b).max() > 0.001 for a, b in zip(processes[0], processes[1]))


def verdict(first, last):
    return "apart" if differ(last) else "together" if differ(first) else "unclear"
