"""What the weights come to that ``Model.fit`` ends with on a worker that trains outside a cluster.

Workers that trained together have the same weights, by whatever means; if they differ, each trained
by itself. A few sums tell the difference: the weights' products with vectors of fixed random signs,
and their size. They are small enough to be reported, and do not depend on the last digits.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any

from mwtutor import metrics
from mwtutor.worker.patches import place

#: Numbers that are looked at, from the first weight on: more would take noticeable time.
_MOST = 1 << 20

#: Products with random signs: that all of them are the same for different weights is unlikely.
_SIGNS = 3

_fits = 0


def report(model: Any) -> None:
    """To be called at the end of each ``fit``: report its weights, if the task has company.

    What a strategy of several workers keeps equal is not looked at: reading it may need a
    collective.
    """
    global _fits
    if not place.has_company() or _is_of_several(model):
        return
    with contextlib.suppress(Exception):  # a model of the program's own may do anything
        _fits += 1
        found = sums(model.trainable_variables)
        metrics.send("weights", wait=1.0, fit=_fits, sums=found)


def _is_of_several(model: Any) -> bool:
    """Whether the model is of a strategy of several workers, as Keras 2 and Keras 3 note it."""
    for name in ("_distribute_strategy", "distribute_strategy"):
        extended = getattr(getattr(model, name, None), "extended", None)
        if type(extended).__name__.startswith("ParameterServerStrategy"):
            return True
        if getattr(extended, "_in_multi_worker_mode", bool)():
            return True
    return False


def sums(variables: Iterable[Any]) -> list[float]:
    """Some products of all numbers with random signs, and their Euclidean norm."""
    import numpy as np

    signs = np.random.default_rng(0)  # a generator of our own: the program's is left alone
    totals, squares, room = np.zeros(_SIGNS), 0.0, _MOST
    for variable in variables:
        values = variable.numpy().ravel()[:room].astype("float64")
        room -= values.size
        for at in range(_SIGNS):
            totals[at] += values @ (signs.integers(0, 2, values.size, "int8") * 2.0 - 1.0)
        squares += float(values @ values)
    return [*map(float, totals), squares**0.5]
