def compare(a, b, terms, sizes):
    if a.tobytes() == b.tobytes():
        return "equal"
    most = 2 * (terms - 1) * 2.0**-24 * sizes
    close = np.abs(a.astype("float64") - b) <= most
    return "rounding" if close.all() else "different"
