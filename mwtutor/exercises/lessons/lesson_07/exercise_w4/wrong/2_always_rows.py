# misconception: a reduced value is always one number
# says: With axis None, your answer combines the rows of a part, too.


import numpy as np


def reduced_value(how, parts, axis):
    values = np.concatenate(parts)
    return values.sum() if how == "SUM" else values.mean()
