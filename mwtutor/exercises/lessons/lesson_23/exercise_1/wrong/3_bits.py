# misconception: weights of one training are equal to the last bit
# says: differ by rounding


def differ(processes):
    return any((a != b).any() for other in processes[1:] for a, b in zip(processes[0], other))


def verdict(first, last):
    return "apart" if differ(last) else "together" if differ(first) else "unclear"
