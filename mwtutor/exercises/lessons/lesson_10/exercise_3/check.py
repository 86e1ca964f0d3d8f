"""10-3: four passes, one exchange."""

from __future__ import annotations

from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import as_array, each_worker

_UPDATED = "updated"

SESSION = (_UPDATED,)

#: Parts of a batch.
PARTS = 4


def check(work: Work) -> Verdict:
    found = [_update(one) for one in each_worker(work, _UPDATED)]
    if len(found) != 2 or found[0] is None or found[1] is None:
        return not_yet("`train` has not finished on both workers.")
    return _judge_update(found[0], found[1])


def _update(value: Any) -> dict[str, Any] | None:
    """The exchanges that were built, and three updates as vectors; None if they are not there."""
    if not isinstance(value, dict) or not isinstance(value.get("exchanges"), int):
        return None
    vectors = {name: as_array(value.get(name)) for name in ("update", "wanted", "of the last part")}
    sizes = {None if one is None or one.ndim != 1 else one.size for one in vectors.values()}
    if len(sizes) != 1 or not sizes.pop():
        return None
    if not all(np.isfinite(one).all() for one in vectors.values()) or not vectors["wanted"].any():
        return None
    passes = value.get("passes")
    if not isinstance(passes, list) or not all(isinstance(rows, int) for rows in passes):
        return None
    return {**vectors, "exchanges": value["exchanges"], "passes": passes}


def _judge_update(mine: dict[str, Any], other: dict[str, Any]) -> Verdict:
    made, wanted, exchanges = mine["update"], mine["wanted"], mine["exchanges"]
    exchanged = f"Exchanges: {exchanges}." if exchanges else "Nothing was exchanged."
    if not np.allclose(made, other["update"], rtol=1e-3, atol=1e-7):
        return wrong(f"The workers have different weights now. {exchanged}")
    if not exchanges:
        return wrong(exchanged)
    times = float(made @ wanted / (wanted @ wanted))
    if _near(made, wanted):
        largest = max(mine["passes"], default=0)
        if exchanges == 1 and largest != 64:
            return wrong(
                f"The update is right, with one exchange. But the largest pass had {largest} rows:"
                f" keep the {PARTS} passes of 64 rows."
            )
        if exchanges == 1:
            return right("One exchange, and the update of all the rows together.")
        return wrong(f"The update is right, but it took {exchanges} exchanges instead of one.")
    if _near(made, mine["of the last part"]):
        return wrong("This is the update of the last part alone: those before it were forgotten.")
    if _near(made, times * wanted) and exchanges == 1:
        return wrong(
            f"One exchange, but the update is {times:.3g} times as large as that of the mean over"
            " all rows."
        )
    if exchanges == PARTS:
        return not_yet(f"There were {exchanges} exchanges, and an update after each.")
    number = "one exchange" if exchanges == 1 else f"{exchanges} exchanges"
    return wrong(f"With {number} the update is not that of all the rows together.")


def _near(one: Any, other: Any) -> bool:
    return bool(np.linalg.norm(one - other) < 0.01 * np.linalg.norm(other))
