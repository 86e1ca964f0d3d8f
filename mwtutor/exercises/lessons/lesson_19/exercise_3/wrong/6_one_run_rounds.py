# misconception: only one of the two runs rounds
# says: in one run all rounded down


def compare(a, b, terms, sizes):
    if a.tobytes() == b.tobytes():
        return "equal"
    most = (terms - 1) * 2.0**-24 * sizes
    close = np.abs(a.astype("float64") - b) <= most
    return "rounding" if close.all() else "different"
