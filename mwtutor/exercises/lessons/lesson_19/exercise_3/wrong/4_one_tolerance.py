# misconception: one tolerance will do for all sums of a vector
# says: much larger sums


def compare(a, b, terms, sizes):
    if a.tobytes() == b.tobytes():
        return "equal"
    most = 2 * (terms - 1) * 2.0**-24 * sizes.max()
    return "rounding" if (np.abs(a.astype("float64") - b) <= most).all() else "different"
