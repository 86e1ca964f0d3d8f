"""The same verbs for a terminal: ``mwtutor launch 2 main.py``."""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from mwtutor import __version__
from mwtutor import launcher as api
from mwtutor.commands.parser import TERMINAL, signal_number
from mwtutor.commands.runs import VERBS, launch_request, parse
from mwtutor.display import text
from mwtutor.display.content import report
from mwtutor.display.explain import explain_tf_config
from mwtutor.display.listing import Listing
from mwtutor.display.panel import TerminalLive
from mwtutor.exceptions import MwtutorError, RunFailed
from mwtutor.run import logs
from mwtutor.run.run import Run

#: Exit statuses: 0 is success, and only that; ``--timeout`` shares its own with bad input.
FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130
TIMED_OUT = BAD_INPUT


def main(words: Sequence[str] | None = None) -> int:
    """Run one verb; the exit status is 0 only if what it was about succeeded."""
    words = list(sys.argv[1:] if words is None else words)
    if not words or words[0] in ("-h", "--help"):
        print(_usage())
        return 0 if words else BAD_INPUT
    if words[0] == "--version":
        print(f"mwtutor {__version__}")
        return 0
    if words[0] not in VERBS:
        print(f"mwtutor: there is no {words[0]!r}.\n\n{_usage()}", file=sys.stderr)
        return BAD_INPUT
    try:
        return _VERBS[words[0]](parse(words[0], words[1:], TERMINAL))
    except RunFailed as error:
        print(error, file=sys.stderr)
        return FAILED
    except MwtutorError as error:
        print(f"mwtutor: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INTERRUPTED


def _usage() -> str:
    verbs = "\n".join(f"  {name:8} {verb.summary.splitlines()[0]}" for name, verb in VERBS.items())
    return f"Usage: mwtutor VERB ...\n\n{verbs}\n\nmwtutor VERB --help says more."


def _launch(options: argparse.Namespace) -> int:
    # A terminal that closes, or a system that shuts down, is Ctrl-C by other means.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    try:
        launched = api.start(launch_request(options))
        if launched.replaced is not None:
            print(f"{launched.replaced.name} was still running and has been stopped.")
        return _watch(launched.run, owned=True)
    finally:
        api.engine().close()


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _watch(run: Run, *, owned: bool, timeout: float = 0.0) -> int:
    live = TerminalLive()
    try:
        outcome = run.wait(timeout, check=False, show=lambda state: live.show(run, state))
    except KeyboardInterrupt:
        if owned:
            run.stop("it was interrupted")
            live.show(run, run.state)
        else:
            print(f"{run.name} runs on. To stop it: mwtutor stop {run.name}")
        return INTERRUPTED
    if outcome.status == "timed out":
        return TIMED_OUT
    return 0 if outcome.ok else FAILED


def _status(options: argparse.Namespace) -> int:
    run = api.find(options.name)
    print(text.render(report(run.spec, run.state, explain=True), color=sys.stdout.isatty()))
    outcome = run.outcome
    return 0 if outcome is None or outcome.ok else FAILED


def _logs(options: argparse.Namespace) -> int:
    run = api.find(options.name)
    tasks = [run.task(options.task)] if options.task else list(run.tasks)
    width = max((len(str(task)) for task in tasks), default=0)
    color = sys.stdout.isatty()
    for line in logs.lines(run.spec, tasks, last=options.last, grep=options.grep, raw=options.raw):
        print(text.log_line(line, width, color=color))
    if options.follow:
        following = logs.follow(
            run.spec, tasks, lambda: run.outcome is None, grep=options.grep, raw=options.raw
        )
        for line in following:
            print(text.log_line(line, width, color=color), flush=True)
    return 0


def _wait(options: argparse.Namespace) -> int:
    return _watch(api.find(options.name), owned=False, timeout=options.timeout)


def _stop(options: argparse.Namespace) -> int:
    chosen = api.runs() if options.all else [api.find(options.name)]
    for run in chosen:
        if options.all and not run.can_be_stopped:
            continue
        if run.outcome is None:
            outcome = run.stop("it was stopped from a terminal")
            print(f"{run.name} {outcome.status}.")
        elif not options.all:
            print(f"{run.name} had ended: {run.outcome.status}.")
    return 0


def _runs(options: argparse.Namespace) -> int:
    if options.clean:
        count = api.clean()
        print(f"Removed {count} run{'s' * (count != 1)} that had ended.")
    print(Listing(api.runs()))
    return 0


def _config(options: argparse.Namespace) -> int:
    run = api.find(options.name)
    for task in [run.task(options.task)] if options.task else run.tasks:
        print(explain_tf_config(run.tf_config(task)))
    return 0


def _plot(options: argparse.Namespace) -> int:
    from mwtutor.display.plot import curves

    run = api.find(options.name)
    path = Path(re.sub(r"[^A-Za-z0-9_.-]", "_", f"{run.name}-{options.metric}") + ".png")
    path.write_bytes(curves(run, options.metric))
    print(f"Drawn to {path}.")
    return 0


def _kill(options: argparse.Namespace) -> int:
    run = api.find(options.name)
    run.kill(options.task, signal_number(options.signal))
    print(f"Sent {options.signal.upper()} to {run.task(options.task)} of {run.name}.")
    return 0


def _stacks(options: argparse.Namespace) -> int:
    print(*api.find(options.name).stacks(options.task), sep="\n\n")
    return 0


def _doctor(options: argparse.Namespace) -> int:
    from mwtutor.diagnosis.checks import doctor

    found = doctor(options.workers)
    print(found)
    return 0 if found.ok else FAILED


_VERBS: dict[str, Callable[[argparse.Namespace], int]] = {
    "launch": _launch,
    "status": _status,
    "logs": _logs,
    "wait": _wait,
    "stop": _stop,
    "runs": _runs,
    "config": _config,
    "plot": _plot,
    "kill": _kill,
    "stacks": _stacks,
    "doctor": _doctor,
}
