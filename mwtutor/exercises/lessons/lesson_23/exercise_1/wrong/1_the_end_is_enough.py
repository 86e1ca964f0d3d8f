# misconception: equal weights prove that the processes trained together
# says: equal before and after


def verdict(first, last):
    for process in last[1:]:
        for one, other in zip(process, last[0]):
            if np.abs(one - other).max() > 0.001:
                return "apart"
    return "together"
