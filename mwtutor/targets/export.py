"""Files with which other schedulers start a cluster: what is common to all kinds of them.

Each target says which options of a launch mean something there. What an option cannot mean is an
error and is never dropped.
"""

from __future__ import annotations

import importlib
import os
import shlex
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from mwtutor.devices.placement import NO_DEVICE
from mwtutor.exceptions import BadInput
from mwtutor.run.option_kinds import Count, Option, Text, option, rows, shown
from mwtutor.run.request import LaunchRequest

#: Where each target is; a module is imported when it is asked for.
TARGETS = {
    "slurm": "mwtutor.targets.slurm:Slurm",
    "kubernetes": "mwtutor.targets.kubernetes:IndexedJob",
    "jobset": "mwtutor.targets.kubernetes:JobSet",
    "skypilot": "mwtutor.targets.skypilot:SkyPilot",
}

#: Their names, for people.
KNOWN = ", ".join(list(TARGETS)[:-1]) + f" or {list(TARGETS)[-1]}"

_VERBS = ("export",)


@dataclass(frozen=True)
class Resources:
    """What a scheduler is asked for besides tasks."""

    image: str = option(
        "", Text("Write the name of an image.", "IMAGE"), "container image with Python, mwtutor"
        " and the program in it", verbs=_VERBS,
    )  # fmt: skip
    cpus: int = option(
        0, Count(), "processors for each task (default: 0, which leaves it to the scheduler)",
        verbs=_VERBS,
    )  # fmt: skip
    memory: int = option(
        0, Count(), "memory for each task in GiB (default: 0, which leaves it to the scheduler)",
        verbs=_VERBS,
    )  # fmt: skip
    queue: str = option(
        "",
        Text("Write the name of a queue.", "NAME"),
        "where the job waits for its turn: a partition of Slurm, a queue of Kueue",
        verbs=_VERBS,
    )

    def __post_init__(self) -> None:
        for row in rows(Resources):
            object.__setattr__(self, row.name, row.check(getattr(self, row.name)))


@dataclass(frozen=True)
class Order:
    """What is to be started elsewhere."""

    request: LaunchRequest
    resources: Resources

    def command(self, python: str) -> list[str]:
        """What each task executes.

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
        """What all tasks find in their environment."""
        on_cpu = {"CUDA_VISIBLE_DEVICES": NO_DEVICE} if self.request.gpus_per_worker == 0 else {}
        return {**on_cpu, **self.request.task_env()}


class Target(ABC):
    """One kind of file.

    Attributes:
        name: as it is typed.
        means: the options of :class:`LaunchRequest` and :class:`Resources` that mean something.
        remedies: what to do instead of one that does not, in a sentence.
    """

    name: ClassVar[str]
    means: ClassVar[frozenset[str]]
    remedies: ClassVar[Mapping[str, str]] = {}

    def render(self, order: Order) -> str:
        """The whole file.

        Raises:
            BadInput: an option that cannot mean anything there, or not with the others.
        """
        for row, values in _given(order):
            if row.name not in self.means:
                remedy = self.remedies.get(row.name, f"Leave out {row.label}.")
                raise BadInput(f"{row.label} has no meaning in a file for {self.name}.", remedy)
            for text in _texts(getattr(values, row.name)):
                if why := self.cannot_hold(row.name, text):
                    raise BadInput(
                        f"{row.label} cannot hold {shown(text)} in a file for {self.name}: {why}.",
                        "Rename what it names, or leave it out.",
                    )
        if order.request.comm == "nccl" and not order.request.gpus_per_worker:
            raise BadInput(
                "NCCL connects GPUs, but none are asked for.",
                "Say how many each worker gets: --gpus-per-worker 1; or leave out --comm nccl.",
            )
        return self.text(order)

    def cannot_hold(self, option: str, text: str) -> str:
        """Why the file cannot hold this text of an option, as a clause; empty if it can."""
        return "" if is_utf8(text) else "such a file is UTF-8, and this is not"

    @abstractmethod
    def text(self, order: Order) -> str:
        """The file, for an order whose options all mean something."""


#: What every target can say: ``mwtutor exec`` and the program see to it. Plain processes is what
#: ``--cold`` asks for, and what starts there.
EVERYWHERE = frozenset(
    ["program", "workers", "args", "args_per_task", "module", "chief", "ps", "evaluator",
     "name", "env", "keras", "threads", "python", "cold", "comm", "gpus_per_worker",
     "cpus", "memory"]
)  # fmt: skip


def _given(order: Order) -> list[tuple[Option, Any]]:
    """The options that ask for something, each with what has its value."""
    tables: tuple[tuple[Any, Any], ...] = (
        (LaunchRequest, order.request),
        (Resources, order.resources),
    )
    return [
        (row, values)
        for table, values in tables
        for row in rows(table)
        if getattr(values, row.name) not in (row.default, {}, ())
    ]


def _texts(value: Any) -> Iterator[str]:
    """The text in the value of an option."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from value.values()  # their names are ASCII
    elif isinstance(value, tuple):
        yield from value


def is_utf8(text: str) -> bool:
    """Whether text, which a terminal may have handed over as any bytes, can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def shell(words: Iterable[str]) -> str:
    """Words as a line of bash that has each of them exactly, whatever is in it."""
    return " ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    if word.isprintable():
        return shlex.quote(word)
    # What no reader of the file may change or refuse: newlines, control characters, odd bytes.
    kept = (
        char if char.isprintable() and char not in "\\'" else _octal(os.fsencode(char))
        for char in word
    )
    return f"$'{''.join(kept)}'"


def _octal(data: bytes) -> str:
    return "".join(f"\\{byte:03o}" for byte in data)


def target(name: str) -> Target:
    """The target of that name."""
    module, made = TARGETS[name].split(":")
    found: Target = getattr(importlib.import_module(module), made)()
    return found


def this_python() -> str:
    """The interpreter, where directories are shared with the machines that execute the tasks."""
    return sys.executable
