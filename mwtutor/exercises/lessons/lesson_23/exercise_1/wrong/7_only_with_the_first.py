# misconception: if each agrees with process 0, any two agree
# says: differ from process 0


def differ(processes):
    pairs = [pair for other in processes[1:] for pair in zip(processes[0], other)]
    return any(np.abs(a - b).max() > 0.001 for a, b in pairs)


def verdict(first, last):
    return "apart" if differ(last) else "together" if differ(first) else "unclear"
