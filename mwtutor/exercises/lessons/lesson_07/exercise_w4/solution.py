import numpy as np


def reduced_value(how, parts, axis):
    values = np.stack(parts) if axis is None else np.concatenate(parts)
    return values.sum(axis=0) if how == "SUM" else values.mean(axis=0)
