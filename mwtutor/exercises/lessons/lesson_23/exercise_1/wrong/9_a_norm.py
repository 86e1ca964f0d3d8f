# misconception: the norm of all differences is as large as the largest of them
# says: larger by 0.0006


def differ(processes):
    pairs = [pair for one in processes for each in processes for pair in zip(one, each)]
    return any(np.linalg.norm(a - b) > 0.001 for a, b in pairs)


def verdict(first, last):
    return "apart" if differ(last) else "together" if differ(first) else "unclear"
