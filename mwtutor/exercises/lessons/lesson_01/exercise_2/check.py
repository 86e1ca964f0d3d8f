"""01-2: an idle device."""

from __future__ import annotations

import ast
import json

from mwtutor.exercises.exercise import (
    Verdict,
    Work,
    ended,
    not_yet,
    right,
    wrong,
)
from mwtutor.run.logs import logs

_PER_REPLICA, _STEPS, _REPLICAS = 32, 4, 2
_LAST_LINE = 'print("ROWS", json.dumps(rows.numpy().tolist()))'


def check(work: Work) -> Verdict:
    run = ended(work, "repaired.py")
    if isinstance(run, Verdict):
        return run
    if run.outcome is not None and not run.outcome.ok:
        why = f"The run {run.outcome.status}: {run.outcome.reason}."
        if "NotImplementedError" in why and "parts.py" in why:
            why += " Create `rows` outside the scope: the layer counts in one plain variable."
        return wrong(why)
    found = [_rows(line.text) for line in logs.lines(run.spec, list(run.tasks))]
    rows = next((each for each in reversed(found) if each), None)
    if rows is None:
        return wrong("The program has not printed how many rows each replica got.")
    steps = run.timeline().steps
    verdict = _judge_rows(rows, steps.taken if steps is not None else 0)
    if verdict.status != "right":
        return verdict
    program = ast.parse((work.folder / "repaired.py").read_bytes())
    if not _ends_as_before(program):
        return wrong(
            "Both replicas seem to have trained, but the last line was changed. Restore it: the"
            " check reads what it prints."
        )
    if _writes_rows(program):
        return wrong(
            f"The program prints {rows}, but it writes counts into `rows` itself. Leave that to the"
            " model: only what the model counts shows which replica trained."
        )
    return verdict


def _ends_as_before(program: ast.Module) -> bool:
    return ast.dump(program.body[-1]) == ast.dump(ast.parse(_LAST_LINE).body[0])


def _writes_rows(program: ast.Module) -> bool:
    """Whether a line changes `rows`, or sets it to an initial number that may be a count."""
    return any(map(_writes, ast.walk(program)))


def _writes(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return ast.unparse(node.value) == "rows" and node.attr.startswith(("assign", "scatter"))
    if not isinstance(node, ast.Assign) or "rows" not in map(ast.unparse, node.targets):
        return False
    inside = [each.value for each in ast.walk(node.value) if isinstance(each, ast.Constant)]
    return any(isinstance(each, int) and each > _REPLICAS for each in inside)


def _rows(text: str) -> list[int]:
    try:
        found = json.loads(text.removeprefix("ROWS ")) if text.startswith("ROWS ") else []
        return [int(number) for number in found]
    except (TypeError, ValueError):
        return []


def _judge_rows(rows: list[int], steps: int) -> Verdict:
    """Judge how many rows each replica got in the steps that the run recorded."""
    if steps != _STEPS:
        return wrong(
            f"The run recorded {steps} steps, in which the replicas got {rows} rows: leave the"
            f" number of steps at {_STEPS}."
        )
    each = [number / steps for number in rows]
    if each == [_PER_REPLICA, _PER_REPLICA]:
        return right(f"Both replicas trained, each on {_PER_REPLICA} rows a step.")
    if each == [_PER_REPLICA, 0]:
        return not_yet(f"Replica 0 got {_PER_REPLICA} rows a step, and replica 1 none.")
    if each == [2 * _PER_REPLICA, 0]:
        return wrong(
            f"Replica 0 got {each[0]:g} rows a step, and replica 1 none. The batch is larger, but"
            " the model uses only one device."
        )
    if each == [_PER_REPLICA // 2] * 2:
        return wrong(
            f"Both replicas trained, but each on {each[0]:g} rows a step: they share the batch of"
            " the dataset."
        )
    if each == [2 * _PER_REPLICA] * 2:
        return wrong(
            f"Each replica got {each[0]:g} rows a step, twice as many as it should: the replicas"
            f" share a batch of {2 * each[0]:g}."
        )
    shown = " and ".join(f"{number:g}" for number in each)
    return wrong(f"The program prints {rows}: {shown} rows a step.")
