# == right: number by number
def compare(a, b, terms, sizes):
    if (a.view("int32") == b.view("int32")).all():
        return "equal"
    for one, other, size in zip(a.tolist(), b.tolist(), sizes.tolist()):
        if one != other and not abs(one - other) <= 2 * (terms - 1) * 2**-24 * size:
            return "different"
    return "rounding"


# == right: with a little room, and math.isnan
def compare(a, b, terms, sizes):
    if bytes(a) == bytes(b):
        return "equal"
    if np.isnan(a).any() or np.isnan(b).any():
        return "different"
    off = np.abs(np.float64(a) - np.float64(b)) / (
        (terms - 1) * np.finfo("float32").eps * sizes + 1e-300
    )
    return np.str_("rounding") if off.max() < 1.5 else "different"


# == right: with np.isclose
def compare(a, b, terms, sizes):
    if np.array_equal(a, b, equal_nan=True):
        return "equal"
    most = (terms - 1) * np.finfo("float32").eps * sizes
    near = np.isclose(a.astype(float), b.astype(float), rtol=0, atol=most)
    return ["different", "rounding"][int(near.all())]


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
