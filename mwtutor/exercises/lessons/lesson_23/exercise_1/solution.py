def differ(processes):
    return any(
        float(np.abs(one - other).max()) > 0.001
        for mine in processes
        for theirs in processes
        for one, other in zip(mine, theirs)
    )


def verdict(first, last):
    if differ(last):
        return "apart"
    return "together" if differ(first) else "unclear"
