# misconception: a mean is the sum divided by the number of replicas
# says: Your answer divides the sum by the number of replicas, not by the number of rows.


import numpy as np


def reduced_value(how, parts, axis):
    total = np.stack(parts).sum(axis=0) if axis is None else np.concatenate(parts).sum()
    return total if how == "SUM" else total / len(parts)
