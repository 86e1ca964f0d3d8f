"""The commands in a terminal: ``mwtutor launch 2 main.py``."""

from __future__ import annotations

import difflib
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress

from mwtutor import __version__
from mwtutor.commands.dispatch import TERMINAL_VERBS, perform
from mwtutor.commands.verb import Answer
from mwtutor.display.output import streams
from mwtutor.display.panel import text
from mwtutor.display.panel.panel import Panel, TerminalLive
from mwtutor.display.pictures.live_plot import frames
from mwtutor.display.pictures.plot import Drawing, show_in_terminal
from mwtutor.exceptions import BadInput, MwtutorError, RunFailed, message_of
from mwtutor.interface import TERMINAL, Interface
from mwtutor.run.engine import Engines
from mwtutor.run.run import Run
from mwtutor.singletons import singleton

#: Exit statuses; 0 always means success. An expired ``--timeout`` has the status of bad input.
FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130
TIMED_OUT = BAD_INPUT

_ELSEWHERE = "Write the output somewhere else."
_LOOK = "Correct the cause, and try again."


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0 only for success."""
    words = list(sys.argv[1:] if words is None else words)
    Interface.style = TERMINAL
    with streams.prepare() as output:
        status = _obey_or_complain(words, output)
        output.let_go()
        if isinstance(output.error, BrokenPipeError):  # the reader of the output has closed it
            return INTERRUPTED
        if output.error is not None:
            why = output.error.strerror
            streams.complain(f"mwtutor: The output cannot be written: {why}.\n{_ELSEWHERE}")
            return BAD_INPUT
        return status


def _obey_or_complain(words: list[str], output: streams.Output) -> int:
    try:
        return _obey(words)
    except RunFailed as error:
        streams.complain(str(error))
        return FAILED
    except MwtutorError as error:
        streams.complain(f"mwtutor: {error}")
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        if error is not output.error:
            streams.complain(f"mwtutor: {message_of(error)}.\n{_LOOK}")
    return BAD_INPUT


def _obey(words: list[str]) -> int:
    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    if not words or words[0] in ("-h", "--help"):
        print(_usage())
        return 0 if words else BAD_INPUT
    if words[0] == "--version":
        print(f"mwtutor {__version__}")
        return 0
    if words[0] not in TERMINAL_VERBS:
        near = difflib.get_close_matches(words[0], TERMINAL_VERBS, 1)
        meant = f"Did you mean mwtutor {near[0]}? " if near else ""
        raise BadInput(
            f"There is no command {words[0]!r}.", f"{meant}mwtutor --help lists the commands."
        )
    try:
        return _perform(words[0], words[1:])
    except SystemExit:  # the parser has shown its help
        return 0


def _usage() -> str:
    verbs = "\n".join(
        f"  {name:11} {verb.summary.splitlines()[0]}" for name, verb in TERMINAL_VERBS.items()
    )
    return f"Usage: mwtutor COMMAND ...\n\n{verbs}\n\nmwtutor help COMMAND describes a command."


class TerminalFace:
    """The :class:`mwtutor.commands.verb.Face` for commands typed in a terminal."""

    waits = True
    stop_reason = "it was stopped from a terminal"
    shell = None

    def __init__(self) -> None:
        self.color = text.wants_color(sys.stdout)
        self._redrawn = streams.Redrawn()

    def say(self, text: str) -> None:
        print(text, flush=True)

    def say_until_replaced(self, text: str) -> Callable[[str], None]:
        self.say(text)
        return self.say

    def head(self, text: str) -> None:
        streams.complain(text)  # the output itself may be piped to another program

    def mark_shown(self, run: Run, *, launched: bool = False) -> None: ...

    def panel(self, run: Run, *, ask: bool = False) -> Panel:
        return Panel.from_run(run, ask=ask)

    def starting(self) -> AbstractContextManager[None]:
        return nullcontext()  # each step is reported as it starts; there is nothing to replace

    def result(self, panel: Panel) -> Panel:
        return panel

    def follow(self, run: Run, timeout: float, *, owned: bool) -> Answer:
        live = TerminalLive(prints=owned)
        try:
            outcome = run.wait(timeout, check=False, show=lambda state: live.show(run, state))
        except KeyboardInterrupt:
            if owned:
                self._stop(run)
                live.skip_backlog()
                live.show(run, run.state)
                self._say_where(run)
            else:
                print(f"{run.name} keeps running. To stop it: mwtutor stop {run.name}")
            return Answer(status=INTERRUPTED)
        if owned:
            self._say_where(run)
        if outcome.status == "timed out":
            return Answer(status=TIMED_OUT)
        return Answer(status=0 if outcome.ok else FAILED)

    def _stop(self, run: Run) -> None:
        try:
            run.stop("it was interrupted")
        except KeyboardInterrupt:
            grace = run.spec.request.grace
            self.head(f"{run.name} is being stopped; its tasks have up to {grace:g} s to end.")
            raise

    def _say_where(self, run: Run) -> None:
        with suppress(OSError):  # a write error loses only the line
            self.say(f"Logs: {run.directory / 'logs'}")

    def refresh(self, shown: object, *, last: bool = False) -> None:
        self._redrawn.show(repr(shown), last=last)

    def plot_live(self, run: Run, metric: str) -> None:
        try:
            for drawn in frames(run, metric):
                self.refresh(drawn, last=drawn.over)
        except KeyboardInterrupt:
            print(f"Interrupted; {run.name} keeps running.")

    def leaving(self, run: Run) -> AbstractContextManager[None]:
        return nullcontext()

    def picture(self, drawing: Drawing, name: str) -> None:
        show_in_terminal(drawing, name, self.say)


def _perform(verb: str, words: Sequence[str]) -> int:
    face = TerminalFace()
    try:
        if verb in ("launch", "exercise"):
            # Treat a closed terminal or a system shutdown like Ctrl-C.
            for number in (signal.SIGTERM, signal.SIGHUP):
                if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup asks for
                    signal.signal(number, _interrupt)
        if verb == "export" and hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8")  # other programs read the file
        answer = perform(verb, words, TERMINAL, face)
        if isinstance(answer.shown, Panel) and not answer.brief:
            print(text.render(answer.shown.content, color=face.color))
        elif answer.shown is not None or answer.brief:
            print(answer.brief or answer.shown)
        return answer.status
    finally:
        if verb == "launch":
            singleton(Engines).close()


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt
