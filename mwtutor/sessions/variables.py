"""The variables of a session, and the tasks that keep them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.sanitize import harmless

#: The request to a task's kernel, see :mod:`mwtutor.worker.cell_kernel`.
VERB = "mwtutor_variables"


@dataclass(frozen=True)
class Piece:
    """A variable, or a part or copy of one, in one place.

    Attributes:
        task: the task that keeps it.
        device: the device in that task, for example ``CPU:0``.
        bytes: None if unknown, for example for strings.
    """

    task: TaskId
    device: str
    shape: tuple[int | None, ...]
    bytes: int | None


@dataclass(frozen=True)
class Variable:
    """A variable, and where it is kept.

    Attributes:
        name: the user's name for it, or else its name in Keras or TensorFlow.
        shape: an unknown dimension is None.
        parts: whether its pieces are parts of it; otherwise each piece is a full copy.
        pieces: the places where it is kept.
    """

    name: str
    shape: tuple[int | None, ...]
    dtype: str
    parts: bool
    pieces: tuple[Piece, ...]

    @property
    def bytes(self) -> int | None:
        """The variable's size, however many copies there are; None if unknown."""
        sizes = [piece.bytes for piece in (self.pieces if self.parts else self.pieces[:1])]
        known = [size for size in sizes if size is not None]
        return sum(known) if len(known) == len(sizes) else None


def merge(told: Mapping[TaskId, Iterable[Mapping[str, Any]]]) -> list[Variable]:
    """The variables of all tasks, from the tasks' answers; copies of one variable are merged."""
    variables: dict[object, Variable] = {}
    for task, answers in told.items():
        seen: Counter[object] = Counter()
        for answer in answers:
            one = _variable(answer, task)
            same = (one.name, one.shape, one.dtype)
            seen[same] += 1
            key = (same, seen[same])
            if key in variables:
                before = variables[key]
                variables[key] = replace(before, pieces=(*before.pieces, *one.pieces))
            else:
                variables[key] = one
    return list(variables.values())


def _variable(answer: Mapping[str, Any], task: TaskId) -> Variable:
    return Variable(
        harmless(answer["name"]),
        tuple(answer["shape"]),
        harmless(answer["dtype"]),
        bool(answer["parts"]),
        tuple(_piece(piece, task) for piece in answer["pieces"]),
    )


def _piece(piece: Mapping[str, Any], task: TaskId) -> Piece:
    where = TaskId.parse(piece["task"]) if piece["task"] else task
    return Piece(where, harmless(piece["device"]), tuple(piece["shape"]), piece["bytes"])
