"""``%mw_launch`` and the magics that look at, wait for and stop what it started."""

from __future__ import annotations

import sys
from typing import Any

from IPython.core.magic import Magics, line_magic, magics_class
from IPython.display import Image

from mwtutor import launcher as api
from mwtutor.commands.parser import MAGIC, signal_number, split
from mwtutor.commands.runs import launch_request, parse
from mwtutor.diagnosis.checks import doctor
from mwtutor.diagnosis.findings import Diagnosis
from mwtutor.display import text
from mwtutor.display.explain import explain_tf_config
from mwtutor.display.listing import Listing
from mwtutor.display.panel import Live, NotebookLive, Panel, TerminalLive, leaving_it_running
from mwtutor.run import logs
from mwtutor.run.run import Run


@magics_class
class RunMagics(Magics):
    @line_magic
    def mw_launch(self, line: str) -> Panel | None:
        options = parse("launch", split(line), MAGIC)
        launched = api.start(launch_request(options))
        if launched.replaced is not None:
            print(f"{launched.replaced.name} was still running and has been stopped.")
        if not options.wait:
            return Panel.of(launched.run)
        self._wait(launched.run, 0.0)
        return None

    @line_magic
    def mw_status(self, line: str) -> Panel:
        run = api.find(parse("status", split(line), MAGIC).name)
        return Panel.of(run, explain=True)

    @line_magic
    def mw_wait(self, line: str) -> None:
        options = parse("wait", split(line), MAGIC)
        self._wait(api.find(options.name), options.timeout)

    @line_magic
    def mw_logs(self, line: str) -> None:
        options = parse("logs", split(line), MAGIC)
        run = api.find(options.name)
        tasks = [run.task(options.task)] if options.task else list(run.tasks)
        width = max((len(str(task)) for task in tasks), default=0)
        choice = {"grep": options.grep, "raw": options.raw}
        for shown in logs.lines(run.spec, tasks, last=options.last, **choice):
            print(text.log_line(shown, width, color=True))
        if options.follow:
            with leaving_it_running(run, f"%mw_stop {run.name}"):
                for shown in logs.follow(run.spec, tasks, lambda: run.outcome is None, **choice):
                    print(text.log_line(shown, width, color=True))

    @line_magic
    def mw_stop(self, line: str) -> Any:
        options = parse("stop", split(line), MAGIC)
        if options.all:
            going = [run for run in api.runs() if run.can_be_stopped]
            for run in going:
                run.stop()
            return Listing(going)
        run = api.find(options.name)
        run.stop()
        return Panel.of(run)

    @line_magic
    def mw_runs(self, line: str) -> Listing:
        if parse("runs", split(line), MAGIC).clean:
            count = api.clean()
            print(f"Removed {count} run{'s' * (count != 1)} that had ended.")
        return Listing(api.runs())

    @line_magic
    def mw_config(self, line: str) -> None:
        options = parse("config", split(line), MAGIC)
        run = api.find(options.name)
        for task in [run.task(options.task)] if options.task else run.tasks:
            print(explain_tf_config(run.tf_config(task)))

    @line_magic
    def mw_plot(self, line: str) -> Any:
        from mwtutor.display.plot import curves

        options = parse("plot", split(line), MAGIC)
        return Image(curves(api.find(options.name), options.metric))

    @line_magic
    def mw_kill(self, line: str) -> None:
        options = parse("kill", split(line), MAGIC)
        run = api.find(options.name)
        run.kill(options.task, signal_number(options.signal))
        print(f"Sent {options.signal.upper()} to {run.task(options.task)} of {run.name}.")

    @line_magic
    def mw_stacks(self, line: str) -> None:
        options = parse("stacks", split(line), MAGIC)
        print(*api.find(options.name).stacks(options.task), sep="\n\n")

    @line_magic
    def mw_doctor(self, line: str) -> Diagnosis:
        return doctor(parse("doctor", split(line), MAGIC).workers)

    def _wait(self, run: Run, timeout: float) -> None:
        live: Live = NotebookLive() if hasattr(self.shell, "kernel") else TerminalLive(sys.stdout)
        with leaving_it_running(run, f"%mw_stop {run.name}"):
            run.wait(timeout, show=lambda state: live.show(run, state))
