def compare(a, b, terms, sizes):
    same = a.view("int32") == b.view("int32")
    if same.all():
        return "equal"
    most = 2 * (terms - 1) * 2.0**-24 * sizes
    close = np.abs(a.astype("float64") - b) <= most
    return "rounding" if (same | close).all() else "different"
