"""Report how the program's own child processes ended, if the program waited for them.

A program that starts its own workers may succeed although they failed: its actual work was in its
children.
"""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from mwtutor import metrics
from mwtutor.system import processes
from mwtutor.system.importhook import when_imported
from mwtutor.system.wrapping import after


def install() -> None:
    when_imported("subprocess", _watch_commands)
    when_imported("multiprocessing.popen_fork", _watch_functions)


def _watch_commands(module: ModuleType) -> None:
    def report(process: Any, *args: Any, **kwargs: Any) -> None:
        if program := processes.script_of(process.args):
            _report(program, process.returncode)

    after(module.Popen, "_handle_exitstatus", report)


def _watch_functions(module: ModuleType) -> None:
    """Watch processes of ``multiprocessing``, which execute a function of the program."""
    popen = module.Popen
    poll = popen.poll

    @functools.wraps(poll)
    def watched(self: Any, *args: Any, **kwargs: Any) -> Any:
        known = self.returncode is not None
        status = poll(self, *args, **kwargs)
        if not known and status is not None:
            _report("", status)
        return status

    popen.poll = watched


def _report(program: str, status: Any) -> None:
    if isinstance(status, int):
        metrics.send("child_ended", wait=1.0, program=program, exit=status)
