"""Warn in a cell that each worker trains by itself, if the cell's code does not show it."""

from __future__ import annotations

import sys
import weakref
from typing import Any

from mwtutor.executed import in_cells
from mwtutor.worker.patches import place

#: Models for which the warning was printed.
_told: weakref.WeakSet[Any] = weakref.WeakSet()


def warn(model: Any) -> None:
    """Warn, when ``fit`` begins, that a MirroredStrategy covers only this worker's devices."""
    strategy = getattr(model, "distribute_strategy", None)
    if type(strategy).__name__ != "MirroredStrategy" or model in _told or not in_cells():
        return
    if place.has_company():
        _told.add(model)
        print(
            "mwtutor: each worker trains this model alone, on all the data that it has: the model"
            " was created under a MirroredStrategy, which uses the devices of one worker. To train"
            " one model together, create and compile it inside `with strategy.scope():`.",
            file=sys.stderr,
        )
