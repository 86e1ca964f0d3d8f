# misconception: equal numbers have equal bits
# says: 0.0 and -0.0

import numpy as np


def compare(a, b, terms, sizes):
    if np.array_equal(a, b, equal_nan=True):
        return "equal"
    with np.errstate(all="ignore"):
        away = np.abs(a.astype("f8") - b.astype("f8"))
    bound = 2 * (terms - 1) * 2.0**-24 * np.asarray(sizes, "f8")
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    return "rounding" if np.all(same | (away <= bound)) else "different"
