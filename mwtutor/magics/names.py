"""The names of all magics, and their registration; ``mwtutor.commands`` implements them.

Their dependencies are imported on first use, to keep ``%load_ext`` fast.
"""

from __future__ import annotations

import re
import sys
import uuid
from typing import Any

import mwtutor.system.builtin_names  # noqa: F401 - records the names before a learner's code runs
from mwtutor.auto import Auto
from mwtutor.executed import Executed
from mwtutor.interface import MAGIC, Interface
from mwtutor.magics.ipython_matcher import attach
from mwtutor.notices import IMPORTING
from mwtutor.singletons import singleton

#: Commands for runs and sessions that have a line magic, ``%mw_<verb>``.
LINE_MAGICS = (
    "launch",
    "status",
    "logs",
    "wait",
    "stop",
    "runs",
    "config",
    "plot",
    "timeline",
    "record",
    "exchanges",
    "trace",
    "compare",
    "kill",
    "stacks",
    "unplug",
    "plug",
    "link",
    "tensorboard",
    "top",
    "explain",
    "doctor",
    "lessons",
)
SESSION_MAGICS = (
    "start",
    "auto",
    "result",
    "interrupt",
    "push",
    "pull",
    "variables",
    "restart",
    "export",
)

#: Commands of the course.
COURSE_MAGICS = (
    "workspace",
    "predict",
    "outcome",
    "place",
    "open",
    "check",
    "hint",
    "solution",
    "progress",
    "exercises",
)

#: Cell magics, ``%%<verb>``.
CELL_MAGICS = ("mw", "mw_scope", "mw_needs")

#: Commands that wait for the fork server.
_STARTING = ("launch", "start", "restart")

#: A launch option whose value may contain braces for the tasks.
_TASK_WORDS = re.compile(r"""(--args-per-task(?:=|\s+)(?:'[^']*'|"[^"]*"|\S)+)""")


class LazyMagic:
    """A magic that is resolved when it is called or its help is requested."""

    def __init__(self, verb: str, shell: Any) -> None:
        self._verb = verb
        self._shell = shell
        self.__name__ = verb if verb in CELL_MAGICS else f"mw_{verb}"

    def __repr__(self) -> str:
        return f"%{self.__name__}"

    @property
    def _ipython_magic_no_var_expand(self) -> bool:
        return self.__name__ == "mw_launch"

    def _expand(self, line: str) -> str:
        """Fill in the notebook's variables, except the fields that each task fills in."""
        expanded = ""
        for number, part in enumerate(_TASK_WORDS.split(line)):
            # The cell is three frames up: past this method, the call, and IPython.
            expanded += part if number % 2 else self._shell.var_expand(part, depth=3)
        return expanded

    def __call__(self, line: str, cell: str = "") -> Any:
        place = self._say_at_once()
        from mwtutor.commands.dispatch import perform
        from mwtutor.commands.parser import split
        from mwtutor.magics.notebook import NotebookFace

        __tracebackhide__ = True
        if self._ipython_magic_no_var_expand:
            line = self._expand(line)
        face = NotebookFace(self._shell, place)
        try:
            return perform(self._verb, split(line), MAGIC, face, cell).shown
        finally:
            face.leave()

    def _say_at_once(self) -> str:
        """Before importing anything, show what the kernel's first launch is waiting for.

        Returns:
            The id of the display; empty if nothing was shown.
        """
        if self._verb not in _STARTING or not hasattr(self._shell, "kernel"):
            return ""
        from mwtutor.engines.local import forkserver_client

        if not forkserver_client.importing():
            return ""
        place = uuid.uuid4().hex
        words = {"text/plain": f"Starting: {IMPORTING}, 0 s"}
        self._shell.display_pub.publish(words, transient={"display_id": place})
        return place

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        from mwtutor.commands.dispatch import parser

        return parser(self._verb, MAGIC).format_help()


def register(shell: Any) -> None:
    """Register the magics and their completion with a shell."""
    Interface.style = MAGIC
    for verb in (*LINE_MAGICS, *SESSION_MAGICS, *COURSE_MAGICS):
        shell.register_magic_function(LazyMagic(verb, shell), "line", f"mw_{verb}")
    for verb in CELL_MAGICS:
        shell.register_magic_function(LazyMagic(verb, shell), "cell", verb)
    attach(shell)
    if (rewrite := singleton(Auto).rewrite) not in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.append(rewrite)
    shell.events.register("pre_run_cell", singleton(Executed).begin)
    shell.events.register("post_run_cell", singleton(Executed).end)
    shell.events.register("post_run_cell", suggest)


def suggest(result: Any) -> None:
    """Suggest the intended magic after IPython reported an unknown one."""
    error = result.error_in_exec
    if type(error).__name__ != "UsageError":  # a user's exception may raise in ``__str__``
        return
    import difflib  # not at the top, because most cells do not need it

    unknown = re.search(r"`%{1,2}(mw_\w+)` not found", str(error))
    line = (f"mw_{verb}" for verb in (*LINE_MAGICS, *SESSION_MAGICS, *COURSE_MAGICS))
    if unknown and (near := difflib.get_close_matches(unknown[1], [*line, *CELL_MAGICS], 1)):
        print(f"Did you mean {'%%' if near[0] in CELL_MAGICS else '%'}{near[0]}?", file=sys.stderr)
