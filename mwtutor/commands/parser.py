"""What all verbs have in common: how their lines are read, and the kinds of values."""

from __future__ import annotations

import argparse
import difflib
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from mwtutor.exceptions import BadCluster, BadInput


@dataclass(frozen=True)
class Style:
    """How a verb is written where it is used."""

    prefix: str

    def verb(self, name: str) -> str:
        return f"{self.prefix}{name}"

    def help(self, name: str) -> str:
        return f"{self.verb(name)}?" if self.prefix.startswith("%") else f"{self.verb(name)} --help"


MAGIC = Style("%mw_")
TERMINAL = Style("mwtutor ")

#: What other launchers call the number of workers, which comes first here.
_WORKERS = {"--workers", "--num-workers", "--num_workers", "-np"}


class Parser(argparse.ArgumentParser):
    """Complains with :class:`BadInput` instead of printing its usage and exiting."""

    def __init__(self, verb: str, style: Style, description: str, examples: str) -> None:
        self.verb = verb
        self.style = style
        shown = examples.replace("@", style.prefix)
        super().__init__(
            prog=style.verb(verb),
            description=description,
            epilog=f"Examples:\n{shown}" if examples else None,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            add_help=style is TERMINAL,
            allow_abbrev=False,
        )

    def error(self, message: str, remedy: str = "") -> NoReturn:
        message = re.sub(r"^the following arguments are required: ", "missing argument: ", message)
        raise BadInput(
            f"{self.style.verb(self.verb)}: {message}.",
            remedy or f"{self.style.help(self.verb)} lists its arguments and options.",
        )

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        if counted := _WORKERS.intersection(words):
            self.error(
                f"unknown argument {min(counted)!r}",
                f"The number of workers comes first: {self.style.verb(self.verb)} 2 ...",
            )
        known, unknown = self.parse_known_args(list(words))
        if unknown:
            near = difflib.get_close_matches(unknown[0], self._option_string_actions, 1, 0.75)
            self.error(
                f"unknown argument {unknown[0]!r}"
                + (f" (did you mean {near[0]}?)" if near else ""),
                "" if near else self._passing(list(words), unknown, known),
            )
        return known

    def _passing(self, words: list[str], unknown: list[str], known: argparse.Namespace) -> str:
        """How to hand words to the program instead, if there is one."""
        program = getattr(known, "program", None) or getattr(known, "module", None)
        if not program:
            return ""
        for word in unknown:
            words.remove(word)
        typed = f"{self.style.verb(self.verb)} {shlex.join(words)} -- {shlex.join(unknown)}"
        return f"To pass it to {program}: {typed}"


def split(line: str) -> list[str]:
    """The words of a line, as a shell would split it."""
    try:
        return shlex.split(line)
    except ValueError as error:
        raise BadInput(f"The line cannot be read: {error}.", "Close the quotes.") from None


def assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise BadInput(f"--env {text!r} is not NAME=VALUE.", "Write, for example, --env SEED=1.")
    return name, value


def workers(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadCluster(
            f"{text!r} is not a number of workers.", "Write it in digits, for example 2."
        ) from None


def count(option: str) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or len(text) > 9:
            raise BadInput(f"{option} {text!r} is not a whole number.", "Write 0, 1, 2 ...")
        return int(text)

    return read


def seconds(option: str) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            seconds = float(text)
        except ValueError:
            seconds = -1.0
        if not 0 <= seconds < 1e9:
            raise BadInput(
                f"{option} {text!r} is not a number of seconds.", "Write, for example, 30."
            )
        return seconds

    return read


def pattern(text: str) -> str:
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise BadInput(
            f"--grep {text!r} is not a regular expression: {error}.",
            "Escape special characters with \\.",
        ) from None
    return text


def signal_number(text: str) -> int:
    """A signal by name, with or without SIG, or by number."""
    import signal

    name = text.upper().removeprefix("SIG")
    try:
        if name.isascii() and name.isdigit():
            return int(signal.Signals(int(name)))
        return int(signal.Signals[f"SIG{name}"])
    except (KeyError, ValueError):
        raise BadInput(f"{text!r} is not a signal.", "Write KILL, TERM, SEGV or INT.") from None
