# == right: number by number
def compare(a, b, terms, sizes):
    if (a.view("int32") == b.view("int32")).all():
        return "equal"
    for one, other, size in zip(a.tolist(), b.tolist(), sizes.tolist()):
        if one == other or (np.isnan(one) and np.isnan(other)):
            continue
        if not abs(one - other) <= 2 * (terms - 1) * 2**-24 * size:
            return "different"
    return "rounding"


# == right: with a little room
def compare(a, b, terms, sizes):
    if bytes(a) == bytes(b):
        return "equal"
    a, b, sizes = (one[a.view("int32") != b.view("int32")] for one in (a, b, sizes))
    if not (np.isfinite(a) & np.isfinite(b)).all():
        return "different"
    off = np.abs(np.float64(a) - np.float64(b)) / (
        (terms - 1) * np.finfo("float32").eps * sizes + 1e-300
    )
    return np.str_("rounding") if off.max() < 1.1 else "different"


# == right: with np.isclose
def compare(a, b, terms, sizes):
    if np.array_equal(a.view("int32"), b.view("int32")):
        return "equal"
    most = (terms - 1) * np.finfo("float32").eps * sizes
    near = np.isclose(a.astype(float), b.astype(float), rtol=0, atol=most, equal_nan=True)
    return ["different", "rounding"][int(near.all())]


# == wrong: half as much room again
# says: leaves out
def compare(a, b, terms, sizes):
    if a.tobytes() == b.tobytes():
        return "equal"
    same = a.view("int32") == b.view("int32")
    close = np.abs(a.astype("float64") - b) <= 3 * (terms - 1) * 2.0**-24 * sizes
    return "rounding" if (same | close).all() else "different"


# == wrong: the solution without a place for the same NaN
# says: in both vectors
def compare(a, b, terms, sizes):
    if a.tobytes() == b.tobytes():
        return "equal"
    most = 2 * (terms - 1) * 2.0**-24 * sizes
    close = np.abs(a.astype("float64") - b) <= most
    return "rounding" if close.all() else "different"


# == wrong: NaN is never far away
def compare(a, b, terms, sizes):
    if a.tobytes() == b.tobytes():
        return "equal"
    far = np.abs(a.astype("float64") - b) > 2 * (terms - 1) * 2.0**-24 * sizes
    return "different" if far.any() else "rounding"


# == wrong: NaN is never equal
def compare(a, b, terms, sizes):
    if (a == b).all():
        return "equal"
    close = np.abs(a.astype("float64") - b) <= 2 * (terms - 1) * 2.0**-24 * sizes
    return "rounding" if close.all() else "different"


# == wrong: one term can be rounded
def compare(a, b, terms, sizes):
    if a.tobytes() == b.tobytes():
        return "equal"
    close = np.abs(a.astype("float64") - b) <= 2 * terms * 2.0**-24 * sizes
    return "rounding" if close.all() else "different"


# == wrong: on average
def compare(a, b, terms, sizes):
    if a.tobytes() == b.tobytes():
        return "equal"
    off = np.abs(a.astype("float64") - b).mean()
    return "rounding" if off <= (2 * (terms - 1) * 2.0**-24 * sizes).mean() else "different"


# == wrong: one close number is enough
def compare(a, b, terms, sizes):
    if a.tobytes() == b.tobytes():
        return "equal"
    close = np.abs(a.astype("float64") - b) <= 2 * (terms - 1) * 2.0**-24 * sizes
    return "rounding" if close.any() else "different"


# == wrong: one addition
def compare(a, b, terms, sizes):
    if a.tobytes() == b.tobytes():
        return "equal"
    close = np.abs(a.astype("float64") - b) <= 2 * 2.0**-24 * sizes
    return "rounding" if close.all() else "different"


# == wrong: everything is rounding
def compare(a, b, terms, sizes):
    return "equal" if a.tobytes() == b.tobytes() else "rounding"


# == wrong: always equal
def compare(a, b, terms, sizes):
    return "equal"


# == wrong: a truth value
def compare(a, b, terms, sizes):
    return bool((a == b).all())


# == wrong: raises
def compare(a, b, terms, sizes):
    raise ValueError(terms)


# == wrong: only one run rounds
def compare(a, b, terms, sizes):
    import numpy as np

    if a.tobytes() == b.tobytes():
        return "equal"
    return (
        "rounding"
        if (abs(np.float64(a) - np.float64(b)) <= (terms - 1) * 2.0**-24 * np.float64(sizes)).all()
        else "different"
    )


# == wrong: each addition rounds by twice as much
def compare(a, b, terms, sizes):
    import numpy as np

    if a.tobytes() == b.tobytes():
        return "equal"
    return (
        "rounding"
        if (
            abs(np.float64(a) - np.float64(b)) <= 2 * (terms - 1) * 2.0**-23 * np.float64(sizes)
        ).all()
        else "different"
    )


# == wrong: most of the sums
def compare(a, b, terms, sizes):
    import numpy as np

    if a.tobytes() == b.tobytes():
        return "equal"
    return (
        "rounding"
        if (
            abs(np.float64(a) - np.float64(b)) <= 2 * (terms - 1) * 2.0**-24 * np.float64(sizes)
        ).mean()
        > 0.95
        else "different"
    )
