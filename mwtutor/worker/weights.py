"""A summary of the weights at the end of ``Model.fit`` on a worker that trains outside a cluster.

Workers that trained together have the same weights, by whatever means; if they differ, each worker
trained alone. A few sums reveal the difference: the weights' products with vectors of fixed random
signs, and their norm. They are small enough to report, and insensitive to the last digits.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any

from mwtutor import metrics
from mwtutor.worker.patches import place

#: Maximum number of values that are read, from the first weight on; more would take too long.
_MOST = 1 << 20

#: The number of products with random signs: different weights are unlikely to give equal ones.
_SIGNS = 3

_fits = 0


def report(model: Any) -> None:
    """Report the weights at the end of a ``fit``, if the task has peers.

    Weights that a multi-worker strategy keeps equal are not read: that may need a collective.
    """
    global _fits
    if not place.has_company() or _is_of_several(model):
        return
    with contextlib.suppress(Exception):  # the program's own model class may do anything
        _fits += 1
        found = sums(model.trainable_variables)
        metrics.send("weights", wait=1.0, fit=_fits, sums=found)


def _is_of_several(model: Any) -> bool:
    """Whether the model belongs to a multi-worker strategy, as Keras 2 and Keras 3 record it."""
    for name in ("_distribute_strategy", "distribute_strategy"):
        extended = getattr(getattr(model, name, None), "extended", None)
        if type(extended).__name__.startswith("ParameterServerStrategy"):
            return True
        if getattr(extended, "_in_multi_worker_mode", bool)():
            return True
    return False


def sums(variables: Iterable[Any]) -> list[float]:
    """Products of all values with random signs, and their Euclidean norm."""
    import numpy as np

    signs = np.random.default_rng(0)  # a separate generator: the program's stays unchanged
    totals, squares, room = np.zeros(_SIGNS), 0.0, _MOST
    for variable in variables:
        values = variable.numpy().ravel()[:room].astype("float64")
        room -= values.size
        for at in range(_SIGNS):
            totals[at] += values @ (signs.integers(0, 2, values.size, "int8") * 2.0 - 1.0)
        squares += float(values @ values)
    return [*map(float, totals), squares**0.5]
