"""14-3: a broken cluster."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mwtutor.exceptions import MwtutorError
from mwtutor.exercises.exercise import (
    Verdict,
    Work,
    ended,
    not_yet,
    right,
    wrong,
)
from mwtutor.run.run import Run

#: The program's steps, rows, rows in a step, and learning rate. It reads the rows repeatedly.
STEPS, ROWS, GLOBAL_BATCH, RATE = 16, 64, 16, 0.1

#: Weights that differ by less are equal: the order of additions differs.
_EQUAL = 1e-4


@dataclass(frozen=True)
class Told:
    """What a worker recorded.

    Attributes:
        peers: the addresses by which it looked for all workers.
        release: the release of the code that it executed.
        batch: how many rows it is to take in a step.
        rows: the numbers of the rows that it took in each step.
        weights: at the end; None if it did not get that far.
    """

    peers: list[str]
    release: str
    batch: int
    rows: list[list[int]]
    weights: Any


def check(work: Work) -> Verdict:
    run = ended(work, "broken.py")
    if isinstance(run, Verdict):
        return run
    try:
        told = [_read(work.folder / f"broken-{index}.json") for index in range(2)]
        real = json.loads(run.tf_config("worker:0"))["cluster"]["worker"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, MwtutorError):
        keep = ". Keep the lines with `notes`." if run.outcome and run.outcome.ok else "."
        return wrong(f"At least one worker did not record what it did: the run {_how(run)}.{keep}")
    if len(real) != 2:
        return wrong("Launch it on two workers, as the cell below yours does.")
    return _meeting(told, real) or _training(told, run) or _saving(work.folder, told, run)


def _read(path: Path) -> Told:
    told = json.loads(path.read_text())
    weights = told.get("weights")
    return Told(
        [str(one) for one in told["peers"]],
        str(told["release"]),
        int(told["batch"]),
        [[int(row) for row in step] for step in told["rows"]],
        None if weights is None else np.asarray(weights, dtype=float),
    )


def _how(run: Run) -> str:
    outcome = run.outcome
    if outcome is None or not outcome.reason:
        return "ended"
    return f"{outcome.status}: {outcome.reason}"[:300].rstrip(".")


def _meeting(told: list[Told], real: list[str]) -> Verdict | None:
    first, second = told
    for index, one in enumerate(told):
        if len(one.peers) != len(real):
            return wrong(
                f"worker:{index} has the addresses of {len(one.peers)} of {len(real)} workers."
            )
        for other, (address, is_at) in enumerate(zip(one.peers, real, strict=True)):
            if address != is_at:
                port = address.rpartition(":")[2]
                seen = (
                    f"worker:{index} looked for worker:{other} at port {port}, where it is not."
                    f" Steps made together: {min(len(task.rows) for task in told)}"
                )
                untouched = first.release != second.release and first.batch != second.batch
                return not_yet(f"{seen}.") if untouched else wrong(f"{seen}.")
    return None


def _training(told: list[Told], run: Run) -> Verdict | None:
    first, second = told
    if first.weights is None or second.weights is None:
        if run.outcome and run.outcome.ok:
            return wrong("A worker did not record its weights. Keep the lines with `notes`.")
        return wrong(
            f"The addresses are right, but a worker did not train to the end: the run {_how(run)}."
        )
    if first.weights.shape != (4,) or first.weights.shape != second.weights.shape:
        return wrong("The model is different: it should have four weights.")
    if not np.all(np.isfinite([first.weights, second.weights])):
        return wrong("The weights are no longer numbers.")
    apart = float(np.abs(first.weights - second.weights).max())
    if apart > _EQUAL:
        seen = f"Both made {len(first.rows)} steps, but their final weights differed by {apart:.2g}"
        if first.release != second.release:
            seen += f": worker:0 executed {first.release}, and worker:1 {second.release}"
        return wrong(f"{seen}.")
    return _rows(told) or _weights(told)


def _rows(told: list[Told]) -> Verdict | None:
    if any(len(one.rows) != STEPS for one in told):
        return wrong(f"A worker made {min(len(one.rows) for one in told)} of {STEPS} steps.")
    steps = list(zip(*(one.rows for one in told), strict=True))
    read = [row for step in steps for rows in step for row in rows]
    never = ROWS - len(set(read) & set(range(ROWS)))
    if never:
        return wrong(
            f"Their weights are equal, but of the {ROWS} rows {never} were read by no worker, in"
            f" {STEPS} steps of {len(read) // STEPS} rows."
        )
    if set(told[0].rows[0]) & set(told[1].rows[0]):
        return wrong("In the first step both workers read the same rows.")
    numbers = [len(rows) for rows in steps[0]]
    if len(set(numbers)) > 1:
        return wrong(
            f"Their weights are equal, and all rows were read. But in a step one worker took"
            f" {max(numbers)} rows and the other {min(numbers)}, and the mean of both means gives"
            " their rows different weights."
        )
    if sum(numbers) != GLOBAL_BATCH:
        return wrong(f"A step took {sum(numbers)} rows, not {GLOBAL_BATCH}.")
    return None


def _weights(told: list[Told]) -> Verdict | None:
    expected = np.zeros(4)
    for step in zip(*(one.rows for one in told), strict=True):
        x, y = rows_of([row for rows in step for row in rows])
        expected -= RATE * 2 * x.T @ (x @ expected - y) / len(x)
    if np.abs(expected - told[0].weights).max() > 1e-3:
        return wrong("The weights are equal, but not those that one process gets from these rows.")
    return None


def rows_of(numbers: list[int]) -> tuple[Any, Any]:
    """The rows with these numbers, as the workers have them: four features, one target."""
    at = np.asarray(numbers)[:, None]
    features = np.sin(at * np.arange(1.0, 5.0))
    return features, features @ np.array([1.0, -2.0, 3.0, -4.0]) + np.cos(at[:, 0] * 7.0)


def _saving(folder: Path, told: list[Told], run: Run) -> Verdict:
    paths, values = zip(
        *(_saved(folder / f"broken-saved-{index}.json") for index in range(2)), strict=True
    )
    if paths[0] and paths[0] == paths[1]:
        return wrong(
            "The training is right, but both saved to one place: each overwrites what the other"
            " wrote."
        )
    if run.outcome is None or not run.outcome.ok:
        return wrong(f"The training is right, but then the run {_how(run)}.")
    inside = folder.resolve() / "model-0"
    saved = [one for path, one in zip(paths, values, strict=True) if Path(path).parent == inside]
    if not saved or not any(inside.glob("*.data-*")):
        return wrong("The training is right, but worker:0 saved no checkpoint in `model-0`.")
    weights, seen = (_of(saved[0], name) for name in ("weights", "seen"))
    if weights is None or seen is None:
        return wrong("The training is right, but the checkpoint lacks `weights` or `seen`.")
    if weights.shape != (4,) or np.abs(weights - told[0].weights).max() > _EQUAL:
        return wrong("The training is right, but the checkpoint has different `weights`.")
    if not np.array_equal(seen, STEPS * GLOBAL_BATCH):
        return wrong(
            f"The training is right, but in the checkpoint `seen` is {seen.tolist()!s:.40}; both"
            f" workers together have seen {STEPS * GLOBAL_BATCH} rows."
        )
    return right(
        f"They met; both read {ROWS // 2} rows of {ROWS}, {GLOBAL_BATCH // 2} in a step; the"
        " weights are those of one process; and the checkpoint has them, and what both have seen."
    )


def _saved(path: Path) -> tuple[str, dict[str, Any]]:
    """Where a worker saved, and the values by their names; empty if it did not record that."""
    try:
        told = json.loads(path.read_text())
        return str(told["path"]), dict(told.get("values", {}))
    except (OSError, ValueError, KeyError, TypeError):
        return "", {}


def _of(values: dict[str, Any], name: str) -> Any:
    """The array that was saved under this name; None if there is none."""
    return next((np.asarray(values[key]) for key in values if name in key.split("/")), None)
