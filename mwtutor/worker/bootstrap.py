"""The life of a task: from a forked or new process to the end of the user's program."""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, NoReturn

from mwtutor import metrics, scratch
from mwtutor.interface import TERMINAL
from mwtutor.network.hints import network_hint
from mwtutor.system import child, processes
from mwtutor.system.files import append
from mwtutor.worker import allocator, ledger, moments, program, stacks
from mwtutor.worker.patches import coordination
from mwtutor.worker.raised import describe, drop_our_frames


@dataclass(frozen=True)
class TaskSpec:
    """Everything that a task needs to know; sent as JSON to a process that is not forked.

    Attributes:
        task: its name, for example ``worker:1``.
        kind: whether ``target`` is a script's path, a module's name or a directory of sockets.
        target: the program, as typed.
        args: the program's arguments.
        log: absolute path of the file that receives its output.
        context: environment (``TF_CONFIG`` included), directory and limits.
    """

    task: str
    kind: Literal["script", "module", "kernel"]
    target: str
    args: tuple[str, ...]
    log: str
    context: child.ProcessContext

    @property
    def title(self) -> str:
        shown = "cells" if self.kind == "kernel" else os.path.basename(self.target)
        return f"{self.task} {shown}"

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> TaskSpec:
        data: Mapping[str, Any] = json.loads(text)
        context = child.ProcessContext.from_json(data["context"])
        return cls(**{**data, "args": tuple(data["args"]), "context": context})


def run_forked(spec: TaskSpec, channel: int, requests: int) -> NoReturn:
    """Become the task in a process that was just forked and detached."""
    child.adopt(spec.context, spec.title)
    child.fresh_state()
    run_with(spec, channel, requests)


def run_cold(fd: int) -> NoReturn:
    """Become the task in a new interpreter; ``fd`` contains the pipes' numbers, then the spec."""
    with os.fdopen(fd, "rb") as pipe:
        header, _, text = pipe.read().partition(b"\n")
    spec = TaskSpec.from_json(text)
    child.set_title(spec.title)
    child.fresh_state()
    channel, requests = map(int, header.split())
    for end in (channel, requests):  # the program's own children must not inherit it
        os.set_inheritable(end, False)
    run_with(spec, channel, requests)


def run_with(spec: TaskSpec, fd: int, requests: int) -> NoReturn:
    """Run a task's program in the prepared process.

    Args:
        fd: the descriptor to which events are written.
        requests: the descriptor from which requests are read.
    """
    processes.leave_mark(spec.context.env.get(processes.MARKER, ""))
    allocator.install()
    channel = metrics.connect(fd)
    # A crash in native code leaves the Python stack in the log.
    faulthandler.enable()
    stacks.install(requests, spec.log, training_has_ended)
    scratch.note_with(partial(append, Path(spec.log).with_suffix(scratch.NOTES)))
    moments.install(spec.log)
    ledger.install(spec.log)
    channel.send("program_started", wait=1.0, python=sys.version.split()[0])
    ending = program.run(spec.kind, spec.target, spec.args, prepare=lambda: _prepare(spec.log))
    metrics.flush()
    coordination.flush()
    moments.flush()
    ledger.flush()
    if ending.error is None:
        channel.send("program_ended", wait=1.0, code=ending.code, advice=ending.advice)
        print_advice(ending.advice)
        child.leave(ending.code)
    described = crash_report(ending.error)
    channel.send("program_raised", wait=1.0, **described)
    end_by(ending.error, described["advice"], ending.code, spec.log)


def _prepare(log: str) -> None:
    from mwtutor.worker.patches import (
        registry,
    )  # imports all patches, which a supervisor does not need

    registry.install_in_task(log)


def crash_report(error: BaseException) -> dict[str, Any]:
    """The report about the exception that ended the program, without mwtutor's frames."""
    try:
        drop_our_frames(error)
        return describe(error)
    except Exception:  # a program's exception may raise when inspected
        return {**_INDESCRIBABLE, "error": type(error).__name__}


def end_by(error: BaseException, advice: str, code: int, log: str = os.devnull) -> NoReturn:
    """End the process as an interpreter does after an exception, and report what is known about it.

    Args:
        code: the exit status, unless the program's own hook asks for another.
        log: the file that receives the process's output. The traceback's position in it is
            reported, because threads, destructors and ``atexit`` may print other tracebacks.
    """
    begin = _size(log)
    asked = program.show(error)
    with contextlib.suppress(Exception):
        _print_hints(error, advice)
    metrics.send("traceback", wait=1.0, begin=begin, end=_size(log))
    if asked is None and isinstance(error, KeyboardInterrupt):
        child.die_of(2)
    child.leave(code if asked is None else asked)


def _size(log: str) -> int:
    try:
        return os.stat(log).st_size
    except OSError:
        return 0


def training_has_ended() -> None:
    """Tell an Estimator's evaluator that no further checkpoint will be written."""
    from mwtutor.bridges.estimator import evaluator

    evaluator.training_has_ended()


def _print_hints(error: BaseException, advice: str) -> None:
    from mwtutor.datasets.hints import offline_hint  # imports NumPy, which not every program needs

    print_advice(advice)
    for hint in filter(None, (offline_hint(error), network_hint(error))):
        print(hint, file=sys.stderr)


def print_advice(advice: str) -> None:
    """Print the advice, if any, below the program's output, for readers of the log."""
    if advice:
        with contextlib.suppress(Exception):  # the program may have closed its output
            print(f"mwtutor: {TERMINAL.render(advice)}", file=sys.stderr)


#: The report about an exception that cannot be described.
_INDESCRIBABLE = {
    "message": "an exception that cannot be shown",
    "file": "",
    "line": None,
    "code": "",
    "function": "",
    "advice": "",
}
