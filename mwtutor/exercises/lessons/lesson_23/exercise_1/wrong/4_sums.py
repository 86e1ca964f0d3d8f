# misconception: equal sums mean equal weights
# says: have the same sums


def differ(processes):
    sums = [[float(one.sum()) for one in process] for process in processes]
    return bool(np.abs(np.array(sums) - np.array(sums[0])).max() > 0.001)


def verdict(first, last):
    return "apart" if differ(last) else "together" if differ(first) else "unclear"
