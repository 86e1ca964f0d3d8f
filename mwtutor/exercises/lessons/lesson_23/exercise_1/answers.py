# == right: one vector for each process
def verdict(first, last):
    def spread(processes):
        all_ = np.stack([np.concatenate([one.ravel() for one in each]) for each in processes])
        return np.ptp(all_, axis=0).max()

    if spread(last) > 0.001:
        return "apart"
    return "together" if spread(first) > 0.001 else "unclear"


# == right: with allclose
def equal(processes):
    pairs = [pair for one in processes for each in processes for pair in zip(one, each)]
    return all(np.allclose(a, b, rtol=0, atol=1e-3) for a, b in pairs)


def verdict(first, last):
    return "apart" if not equal(last) else "unclear" if equal(first) else "together"


# == right: an array of text
def verdict(first, last):
    def differ(processes):
        for arrays in zip(*processes):
            if (np.max(arrays, axis=0) - np.min(arrays, axis=0) > 0.001).any():
                return True
        return False

    return np.array(["unclear", "together", "apart", "apart"])[2 * differ(last) + differ(first)]


# == wrong: the beginning decides alone
def verdict(first, last):
    head = first[0]
    same = all(np.allclose(a, b, atol=1e-3) for each in first for a, b in zip(head, each))
    return "unclear" if same else "together"


# == wrong: means
def verdict(first, last):
    def differ(processes):
        return np.ptp([np.mean([one.mean() for one in each]) for each in processes]) > 0.001

    return "apart" if differ(last) else "together" if differ(first) else "unclear"


# == wrong: the change of one process
def verdict(first, last):
    return "together" if np.abs(last[0][0] - first[0][0]).max() > 0.001 else "unclear"


# == wrong: a constant
def verdict(first, last):
    return "apart"


# == wrong: True for together
def verdict(first, last):
    return all(np.allclose(a, b) for each in last for a, b in zip(last[0], each))


# == wrong: swapped words
def verdict(first, last):
    same = all(np.allclose(a, b, atol=1e-3) for each in last for a, b in zip(last[0], each))
    return "together" if same else "unclear"


# == wrong: raises
def verdict(first, last):
    return {}["apart"]
