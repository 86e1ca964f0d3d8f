"""``%mw_start``, the cell magics, and what goes to and comes from the workers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from IPython.core.magic import Magics, cell_magic, line_magic, magics_class

from mwtutor.commands.sessions import check_cell, names, parse, session_request
from mwtutor.display.cells import show_in_cell
from mwtutor.display.panel import Panel
from mwtutor.exceptions import BadInput
from mwtutor.sessions import session as api


@magics_class
class SessionMagics(Magics):
    @line_magic
    def mw_start(self, line: str) -> Panel:
        session = api.Session.start(session_request(parse("start", line)))
        if session.replaced is not None:
            print(f"{session.replaced.name} was still running and has been stopped.")
        return Panel.of(session.run)

    @cell_magic
    def mw(self, line: str, cell: str) -> None:
        self._execute("mw", line, cell)

    @cell_magic
    def mw_scope(self, line: str, cell: str) -> None:
        self._execute("mw_scope", line, cell)

    @line_magic
    def mw_push(self, line: str) -> None:
        options = parse("push", line)
        wanted = names(options.names)
        if missing := [name for name in wanted if name not in self.shell.user_ns]:
            raise BadInput(f"{missing[0]!r} is not defined here.", "Define it in a cell first.")
        api.find(options.name).push({name: self.shell.user_ns[name] for name in wanted})

    @line_magic
    def mw_pull(self, line: str) -> None:
        options = parse("pull", line)
        session = api.find(options.name)
        task = session.task(options.task) if options.task else None
        self.shell.push(session.pull(names(options.names), task), interactive=False)

    @line_magic
    def mw_restart(self, line: str) -> Panel:
        session = api.find(parse("restart", line).name)
        session.restart()
        return Panel.of(session.run)

    @line_magic
    def mw_export(self, line: str) -> None:
        options = parse("export", line)
        session = api.find(options.name)
        path = Path(options.path)
        count = session.export(path, force=options.force)
        print(f"Wrote {count} cell{'s' * (count != 1)} to {path}.")
        print(f"Run it: %mw_launch {session.launch_words(path)}")

    def _execute(self, verb: str, line: str, body: str) -> None:
        options = parse(verb, line)
        check_cell(verb, body)
        session = api.find(options.name)
        tasks = [session.task(options.task)] if options.task else []
        if options.chief:
            tasks = [session.chief()]
        result = session.execute(
            body,
            tasks,
            scope=verb == "mw_scope",
            listener=show_in_cell(tasks or session.tasks),
            export=not options.no_export,
            place=_place(self.shell),
            # Not execution_count: some versions of IPython have counted on by now, others not.
            count=len(self.shell.history_manager.input_hist_parsed) - 1,
        )
        result.check()
        if result.warning:
            print(result.warning, file=sys.stderr)


def _place(shell: Any) -> str:
    """Which cell of the notebook is being executed, if its front end says so."""
    try:
        return str(shell.get_parent()["metadata"].get("cellId") or "")
    except (AttributeError, KeyError, TypeError):
        return ""
