# misconception: allclose compares with 0.001 alone
# says: near 1000


def differ(processes):
    pairs = [pair for one in processes for each in processes for pair in zip(one, each)]
    return not all(np.allclose(a, b, atol=0.001) for a, b in pairs)


def verdict(first, last):
    return "apart" if differ(last) else "together" if differ(first) else "unclear"
