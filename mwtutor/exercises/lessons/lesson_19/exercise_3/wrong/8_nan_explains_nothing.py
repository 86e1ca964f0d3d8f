# misconception: NaN in both runs is a difference
# says: in both vectors

import numpy as np


def compare(a, b, terms, sizes):
    if a.tobytes() == b.tobytes():
        return "equal"
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return "different"
    away = np.abs(a.astype("f8") - b.astype("f8"))
    bound = 2 * (terms - 1) * 2.0**-24 * np.asarray(sizes, "f8")
    return "rounding" if np.all(away <= bound) else "different"
