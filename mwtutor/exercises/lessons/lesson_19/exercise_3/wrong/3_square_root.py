# misconception: rounding errors always cancel, as random ones do
# says: equal terms


def compare(a, b, terms, sizes):
    if a.tobytes() == b.tobytes():
        return "equal"
    most = 4 * (terms - 1) ** 0.5 * 2.0**-24 * sizes
    return "rounding" if (np.abs(a.astype("float64") - b) <= most).all() else "different"
