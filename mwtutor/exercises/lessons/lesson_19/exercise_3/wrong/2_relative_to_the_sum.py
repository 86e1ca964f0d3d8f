# misconception: rounding is relative to the result
# says: cancel


def compare(a, b, terms, sizes):
    if a.tobytes() == b.tobytes():
        return "equal"
    most = 2 * (terms - 1) * 2.0**-24 * np.abs(a.astype("float64"))
    return "rounding" if (np.abs(a.astype("float64") - b) <= most).all() else "different"
