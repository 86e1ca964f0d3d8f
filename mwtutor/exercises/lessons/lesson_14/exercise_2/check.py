"""14-2: a model on two tasks."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import (
    Verdict,
    Work,
    ended,
    not_yet,
    right,
    wrong,
)

#: The widths between the layers, and what a task may keep.
_WIDTHS = (784, 128, 32, 128, 784)
_ROOM = 450_000
_LAYERS = len(_WIDTHS) - 1

_FIRST, _SECOND = "worker:0", "worker:1"


def check(work: Work) -> Verdict:
    run = ended(work, "run_placed.py")
    if isinstance(run, Verdict):
        return run
    if run.outcome is None or not run.outcome.ok:
        return wrong(f"The run failed: {run.outcome.reason if run.outcome else ''}"[:300])
    try:
        told = json.loads((work.folder / "placed.json").read_text())
        kernels, images, outputs = _arrays(work.folder / "placed.npz")
        variables, computed = told["variables"], told["outputs"]
    except (OSError, ValueError, KeyError, TypeError):
        return wrong("The files that run_placed.py writes are missing or unreadable.")
    made = len(kernels), len(outputs)
    if made != (_LAYERS, _LAYERS):
        return wrong(
            f"There are {made[0]} kernels and {made[1]} outputs; the model has {_LAYERS} layers."
        )
    if [kernel.shape for kernel in kernels] != list(pairwise(_WIDTHS)):
        return wrong("The model is different: keep the shapes unchanged.")
    if not _is_its_model(kernels, images, outputs):
        return wrong("The outputs are not those of this model with these kernels.")
    return _judge_places(variables, computed)


def _arrays(path: Path) -> tuple[list[Any], Any, list[Any]]:
    with np.load(path) as file:
        kernels, outputs = (
            [file[name] for name in sorted(file.files) if name.startswith(kind)]
            for kind in ("kernel", "output")
        )
        return kernels, file["images"], outputs


def _is_its_model(kernels: list[Any], images: Any, outputs: list[Any]) -> bool:
    here = images
    for kernel, output in zip(kernels, outputs, strict=True):
        here = np.maximum(here @ kernel, 0)
        if here.shape != output.shape or not np.allclose(here, output, atol=1e-3):
            return False
    return True


def _judge_places(variables: list[str], computed: list[str]) -> Verdict:
    places = {*variables, *computed}
    if places == {"chief:0"}:
        return not_yet("All four kernels are on the chief, and it computes all four layers.")
    if not set(variables) <= {_FIRST, _SECOND}:
        return wrong(f"The kernels are on {_listed(variables)}, not all on the workers.")
    if computed != variables:
        return wrong(
            f"The kernels are on {_listed(variables)}, but the layers are computed on"
            f" {_listed(computed)}: {_number(variables, computed)} copied there at every step."
        )
    sizes = [4 * a * b for a, b in pairwise(_WIDTHS)]
    kept = {
        task: sum(size for size, place in zip(sizes, variables, strict=True) if place == task)
        for task in (_FIRST, _SECOND)
    }
    if max(kept.values()) > _ROOM:
        full = max(kept, key=lambda task: kept[task])
        return wrong(f"{full} keeps {kept[full]:,} bytes, but has room for {_ROOM:,}.")
    crossings = [
        4 * width
        for width, before, after in zip(_WIDTHS[1:], variables, variables[1:], strict=False)
        if before != after
    ]
    crossing = f"{sum(crossings):,} bytes of each row go from task to task"
    if len(crossings) > 1:
        return wrong(
            f"{crossing}, {len(crossings)} times: it fits, but the data goes back and forth."
        )
    if crossings != [4 * min(_WIDTHS)]:
        return wrong(f"{crossing}, once: it fits, but there is a narrower place to cut.")
    shares = " and ".join(f"{size:,}" for size in kept.values())
    return right(f"The tasks keep {shares} bytes, and {crossing}.")


def _number(variables: list[str], computed: list[str]) -> str:
    moved = sum(one != other for one, other in zip(variables, computed, strict=True))
    if moved == _LAYERS:
        return "each kernel is"
    return "one kernel is" if moved == 1 else f"{moved} kernels are"


def _listed(places: list[str]) -> str:
    return ", ".join(places)
