# misconception: a difference of less than 0.000001 is always rounding
# says: small numbers


def compare(a, b, terms, sizes):
    if a.tobytes() == b.tobytes():
        return "equal"
    return "rounding" if np.allclose(a, b, rtol=1e-5, atol=1e-6) else "different"
