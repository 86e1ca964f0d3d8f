# misconception: the mean of the replicas' means is the mean of the rows, and no replica is empty
# says: This is the mean of the replicas' means, which is nan if one of them has no rows.


import numpy as np


def reduced_value(how, parts, axis):
    if axis is None:
        return (np.sum if how == "SUM" else np.mean)(parts, axis=0)
    if how == "SUM":
        return sum(map(sum, parts))
    with np.errstate(invalid="ignore"):
        return np.mean([np.divide(sum(part), len(part)) for part in parts])
