# misconception: a negative difference is a small one
# says: is smaller


def differ(processes):
    pairs = [pair for other in processes[1:] for pair in zip(processes[0], other)]
    return any((b - a).max() > 0.001 for a, b in pairs)


def verdict(first, last):
    return "apart" if differ(last) else "together" if differ(first) else "unclear"
