"""08-1: a save that clobbers."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong

_WORKERS = (("worker", 0), ("worker", 1), ("worker", 2))
_WITH_CHIEF = (("chief", 0), ("worker", 0), ("worker", 1))
_ALONE = ((None, None),)

#: The chief comes first.
_CLUSTERS: Mapping[str, tuple[tuple[str | None, int | None], ...]] = {
    "three workers": _WORKERS,
    "a chief and two workers": _WITH_CHIEF,
    "one process without a cluster": _ALONE,
}


def check(work: Work) -> Verdict:
    place = work.value("place")
    if not callable(place):
        return not_yet()
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/digits.keras"
        given = {name: _places(place, path, tasks) for name, tasks in _CLUSTERS.items()}
        stub = {"chief:0": path, "worker:0": path, "worker:1": f"{path}.temporary"}
        if given["a chief and two workers"] == stub:
            return not_yet("chief:0 and worker:0 still save to the same path.")
        for name, places in given.items():
            if fault := _fault(places, path):
                return wrong(f"With {name}, {fault}".replace(folder, "..."))
    return right("In each cluster one task saves to the path, and every other task to its own.")


def _places(
    place: Callable[..., Any], path: str, tasks: tuple[tuple[str | None, int | None], ...]
) -> dict[str, Any]:
    jobs = sorted({job for job, _ in tasks if job})
    given = {task: place(path, *task, jobs) for task in tasks}
    return {
        f"{job}:{index}" if job else "the process": _as_text(own)
        for (job, index), own in given.items()
    }


def _as_text(own: Any) -> Any:
    return str(own) if isinstance(own, PurePath) else own


def _fault(places: Mapping[str, Any], path: str) -> str:
    """What is wrong in one cluster; the chief must come first."""
    for task, own in places.items():
        if not isinstance(own, str):
            return f"{task} gets {own!r:.60}, which is not a path."
    chief, *others = places
    writers = [task for task, own in places.items() if own == path]
    if not writers:
        return "no task saves to the requested path."
    if len(writers) > 1:
        return f"{len(writers)} tasks save to the path: {', '.join(writers)}."
    if writers != [chief]:
        return f"{writers[0]} saves to the path, and {chief} to one that is removed."
    for task in others:
        same = [one for one in others if places[one] == places[task]]
        if len(same) > 1:
            return f"{' and '.join(same)} get the same path, {places[task]:.200}."
        if PurePath(places[task]).name != PurePath(path).name:
            return (
                f"{task} would save {PurePath(places[task]).name:.100}, but the file must have the"
                f" name {PurePath(path).name}: Keras chooses the format by its extension."
            )
    return ""
