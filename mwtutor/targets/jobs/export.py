"""The common part of all job files for other schedulers.

Each target says which launch options have a meaning there. An option that has none is an error; it
is never silently dropped.
"""

from __future__ import annotations

import os
import shlex
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from mwtutor.devices.placement import NO_DEVICE
from mwtutor.exceptions import BadInput
from mwtutor.run.request.option_kinds import (
    FILES,
    Count,
    Option,
    Text,
    option,
    requested_rows,
    rows,
    short_repr,
)
from mwtutor.run.request.options import LaunchRequest
from mwtutor.system.plugins import TARGETS

_VERBS = ("export",)


@dataclass(frozen=True)
class Resources:
    """The resources requested from a scheduler, besides tasks."""

    image: str = option(
        "", Text("Write the name of an image.", "IMAGE"), "container image with Python, mwtutor"
        " and the program in it", verbs=_VERBS, where=FILES - {"slurm file"},
    )  # fmt: skip
    cpus: int = option(
        0, Count(), "processors for each task (default: 0, which leaves it to the scheduler)",
        verbs=_VERBS, where=FILES,
    )  # fmt: skip
    memory: int = option(
        0, Count(), "memory for each task in GiB (default: 0, which leaves it to the scheduler)",
        verbs=_VERBS, where=FILES,
    )  # fmt: skip
    queue: str = option(
        "",
        Text("Write the name of a queue.", "NAME"),
        "the queue of the job: a partition of Slurm, or a queue of Kueue",
        verbs=_VERBS,
        where=FILES - {"skypilot file"},
    )

    def __post_init__(self) -> None:
        for row in rows(Resources):
            object.__setattr__(self, row.name, row.check(getattr(self, row.name)))


@dataclass(frozen=True)
class Order:
    """The tasks to start on other machines."""

    request: LaunchRequest
    resources: Resources

    def command(self, python: str) -> list[str]:
        """The command that each task executes.

        Args:
            python: the interpreter there, unless the request names one.
        """
        request = self.request
        words = [request.python or python, "-m", "mwtutor", "exec"]
        words += ["--workers", str(request.workers)]
        words += ["--chief"] * request.chief
        words += ["--ps", str(request.ps)] if request.ps else []
        words += ["--evaluator"] * request.evaluator
        words += ["--keras", request.keras] if request.keras != "auto" else []
        words += ["--comm", request.comm] if request.comm != "auto" else []
        words += [f"--args-per-task={request.args_per_task}"] if request.args_per_task else []
        words += ["-m"] * request.module
        return [*words, request.program, *request.args]

    def env(self) -> dict[str, str]:
        """The environment variables that all tasks get."""
        on_cpu = {"CUDA_VISIBLE_DEVICES": NO_DEVICE} if self.request.gpus_per_worker == 0 else {}
        return {**on_cpu, **self.request.task_env()}


class Target(ABC):
    """One kind of file.

    Attributes:
        name: the name that users type.
        remedies: what to do about an option that has no meaning there, in a sentence.
    """

    name: ClassVar[str]
    remedies: ClassVar[Mapping[str, str]] = {}

    @property
    def place(self) -> str:
        """The target's name in the tables of options; ``other`` if another package defines it."""
        return self.name if self.name in TARGETS.built_in else "other"

    def render(self, order: Order) -> str:
        """The text of the whole file.

        Raises:
            BadInput: an option has no meaning there, or none in combination with the others.
        """
        for row, values in _given(order):
            if f"{self.place} file" not in row.where:
                remedy = self.remedies.get(row.name, f"Leave out {row.label}.")
                raise BadInput(f"{row.label} has no meaning in a file for {self.name}.", remedy)
            for text in _texts(getattr(values, row.name)):
                if why := self.cannot_hold(row.name, text):
                    raise BadInput(
                        f"{row.label} cannot contain {short_repr(text)} in a file for {self.name}:"
                        f" {why}.",
                        "Change the value, or leave it out.",
                    )
        if order.request.comm == "nccl" and not order.request.gpus_per_worker:
            raise BadInput(
                "NCCL connects GPUs, but none were requested.",
                "Request them, for example --gpus-per-worker 1, or leave out --comm nccl.",
            )
        return self.text(order)

    def cannot_hold(self, option: str, text: str) -> str:
        """Why the file cannot contain this text of an option, as a clause; empty if it can."""
        return "" if is_utf8(text) else "the file must be UTF-8, but this text is not"

    @abstractmethod
    def text(self, order: Order) -> str:
        """The file for an order, all of whose options have a meaning there."""


def _given(order: Order) -> list[tuple[Option, Any]]:
    """The options that request something, each with the object that contains its value."""
    return [
        (row, table) for table in (order.request, order.resources) for row in requested_rows(table)
    ]


def _texts(value: Any) -> Iterator[str]:
    """The text in the value of an option."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from value.values()  # the variables' names are ASCII
    elif isinstance(value, tuple):
        yield from value


def is_utf8(text: str) -> bool:
    """Whether text can be written as UTF-8; a terminal can pass arbitrary bytes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def shell(words: Iterable[str]) -> str:
    """A line of bash that passes on exactly these words, whatever they contain."""
    return " ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    if word.isprintable():
        return shlex.quote(word)
    # Escape what a reader of the file might change or reject: newlines, control characters, odd
    # bytes.
    kept = (
        char if char.isprintable() and char not in "\\'" else _octal(os.fsencode(char))
        for char in word
    )
    return f"$'{''.join(kept)}'"


def _octal(data: bytes) -> str:
    return "".join(f"\\{byte:03o}" for byte in data)


def target(name: str) -> Target:
    """The target of that name."""
    found: Target = TARGETS.load(name)()
    return found
