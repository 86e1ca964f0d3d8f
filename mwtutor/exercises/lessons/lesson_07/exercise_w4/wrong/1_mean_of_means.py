# misconception: the mean of the replicas' means is the mean of the rows
# says: This is the mean of the replicas' means, which weights the rows of a smaller part more.


import numpy as np


def reduced_value(how, parts, axis):
    if axis is None:
        return getattr(np, {"SUM": "sum", "MEAN": "mean"}[how])(np.stack(parts), axis=0)
    return (
        sum(map(np.sum, parts))
        if how == "SUM"
        else np.mean([np.sum(part) / max(1, len(part)) for part in parts])
    )
