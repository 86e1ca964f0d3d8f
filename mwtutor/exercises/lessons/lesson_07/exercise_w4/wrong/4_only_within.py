# misconception: axis 0 combines the rows of each replica
# says: With axis 0, your answer keeps each replica's own number.


import numpy as np


def reduced_value(how, parts, axis):
    function = np.sum if how == "SUM" else np.mean
    return (
        function(np.stack(parts), axis=0)
        if axis is None
        else [sum(part) if how == "SUM" else sum(part) / max(1, len(part)) for part in parts]
    )
