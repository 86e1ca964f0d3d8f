# == wrong: a constant
import numpy as np


def reduced_value(how, parts, axis):
    return 50.0


# == wrong: one case only
import numpy as np


def reduced_value(how, parts, axis):
    if (
        how,
        parts,
        axis,
    ) == (
        "SUM",
        [[8.0, 9.0, 10.0], [11.0, 12.0]],
        0,
    ):
        return 50.0
    return 0


# == wrong: ignores how
import numpy as np


def _of(how, parts, axis):
    values = np.stack(parts) if axis is None else np.concatenate(parts)
    return values.sum(axis=0) if how == "SUM" else values.mean(axis=0)


def reduced_value(how, parts, axis):
    how = "SUM"
    return _of(how, parts, axis)


# == wrong: ignores how
import numpy as np


def _of(how, parts, axis):
    values = np.stack(parts) if axis is None else np.concatenate(parts)
    return values.sum(axis=0) if how == "SUM" else values.mean(axis=0)


def reduced_value(how, parts, axis):
    how = "MEAN"
    return _of(how, parts, axis)


# == wrong: ignores axis
import numpy as np


def _of(how, parts, axis):
    values = np.stack(parts) if axis is None else np.concatenate(parts)
    return values.sum(axis=0) if how == "SUM" else values.mean(axis=0)


def reduced_value(how, parts, axis):
    axis = 0
    return _of(how, parts, axis)


# == right: without NumPy
import numpy as np


def reduced_value(how, parts, axis):
    groups = [[row for part in parts for row in part]] if axis == 0 else zip(*parts)
    found = [sum(one) / (len(one) if how == "MEAN" else 1) for one in groups]
    return found[0] if axis == 0 else found


# == right: a list
import numpy as np


def reduced_value(how, parts, axis):
    values = np.array(parts) if axis is None else np.hstack(parts)
    return (values.sum(0) / (len(values) if how == "MEAN" else 1)).tolist()


# == right: a tuple
import numpy as np


def reduced_value(how, parts, axis):
    if axis == 0:
        rows = sum(map(list, parts), [])
        return np.float64(sum(rows)) / (1 if how == "SUM" else len(rows))
    count = 1 if how == "SUM" else len(parts)
    return tuple(sum(rows) / count for rows in zip(*parts))


# == wrong: sums the means
import numpy as np


def reduced_value(how, parts, axis):
    return np.sum([np.mean(part) if part else 0 for part in parts])
