"""The parts that all commands share: parsing their lines, and reading their values."""

from __future__ import annotations

import argparse
import difflib
import re
import shlex
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from mwtutor.exceptions import BadInput
from mwtutor.interface import TERMINAL, Style
from mwtutor.run.request import option_kinds
from mwtutor.run.request.option_kinds import CountOrEach, Flag, Option, Signal, Variables, rows
from mwtutor.run.request.options import LaunchRequest

#: Other launchers' options for the number of workers, which is the first argument here.
_WORKERS = {"--workers", "--num-workers", "--num_workers", "-np"}

#: The option whose value consists of options.
_TASK_WORDS = "--args-per-task"


class Parser(argparse.ArgumentParser):
    """Raises :class:`BadInput` instead of printing its usage and exiting."""

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

    def flag(self, label: str, help: str) -> None:
        """Add an option without a value."""
        self.add_argument(label, action="store_true", help=help)

    def value(self, label: str, kind: option_kinds.Kind, help: str, **how: Any) -> None:
        """Add an option or argument whose value is of this kind."""
        self.add_argument(label, type=kind.reader(label), metavar=kind.metavar, help=help, **how)

    def error(self, message: str, remedy: str = "") -> NoReturn:
        message = re.sub(r"^the following arguments are required: ", "missing argument: ", message)
        message = message.removesuffix(", args")  # the program's arguments, which may be missing
        raise BadInput(
            f"{self.style.verb(self.verb)}: {message}.",
            remedy or f"{self.style.help(self.verb)} lists the arguments and options.",
        )

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        first = f"The number of workers comes first: {self.style.verb(self.verb)} 2"
        counted = _WORKERS.intersection(words).difference(self._option_string_actions)
        if counted and self.verb != "exec":  # options after the program belong to it
            self.error(f"unknown argument {min(counted)!r}", f"{first} ...")
        by_place = {action.dest for action in self._actions if not action.option_strings}
        with_program = {"workers", "program"} <= by_place
        if words and words[0].endswith(".py") and with_program:
            self.error(f"{words[0]!r} is not a number", f"{first} {words[0]}")
        known, unknown = self.parse_known_args(_joined(words))
        if unknown:
            near = _near(unknown[0], self._option_string_actions)
            self.error(
                f"unknown argument {unknown[0]!r}"
                + (f" (did you mean {near[0]}?)" if near else ""),
                "" if near else self._passing(list(words), unknown, known),
            )
        return known

    def _passing(self, words: list[str], unknown: list[str], known: argparse.Namespace) -> str:
        """How to pass the words to the program instead, if there is a program."""
        program = getattr(known, "program", None) or getattr(known, "module", None)
        if not program:
            return ""
        for word in unknown:
            words.remove(word)
        between = " " if self.verb == "exec" else " -- "
        typed = f"{self.style.verb(self.verb)} {shlex.join(words)}{between}{shlex.join(unknown)}"
        return f"To pass it to {program}: {typed}"


def _joined(words: Sequence[str]) -> list[str]:
    """The words, with ``--args-per-task`` joined to its value, which may look like an option."""
    found: list[str] = []
    for word in words:
        if found and found[-1] == _TASK_WORDS:
            found[-1] = f"{_TASK_WORDS}={word}"
        else:
            found.append(word)
    return found


def _near(word: str, options: Iterable[str]) -> list[str]:
    """The options that a misspelled word may mean; those with the same letters come first."""
    near = difflib.get_close_matches(word, options, 3, 0.75)
    return sorted(near, key=lambda option: sorted(option) != sorted(word))


def split(line: str) -> list[str]:
    """The words of a line, as a shell would split it."""
    try:
        return shlex.split(line)
    except ValueError as error:
        raise BadInput(f"The line cannot be parsed: {error}.", "Close the quotes.") from None


def add_options(parser: Parser, verb: str) -> None:
    """Add the launch options that a command has, and those that it refuses with a reason."""
    for row in rows(LaunchRequest):
        if row.is_flag and verb in row.verbs:
            add_option(parser, row)
        elif verb in row.refusals:
            how: dict[str, Any] = {"nargs": "?"}
            if isinstance(row.kind, Flag):
                how = {"action": "store_true"}
            hidden = argparse.SUPPRESS
            parser.add_argument(
                row.label, **how, dest=f"no_{row.name}", default=hidden, help=hidden
            )


def add_option(parser: Parser, row: Option, **how: Any) -> None:
    """Add an option (absent from the result unless it is typed) or a positional argument."""
    if isinstance(row.kind, Flag):
        how["action"] = "store_true"
    else:
        how |= {"type": row.kind.reader(row.label), "metavar": row.kind.metavar}
    if isinstance(row.kind, CountOrEach):
        how |= {"nargs": "?", "const": True}
    if isinstance(row.kind, Variables):
        how["action"] = "append"
    if not row.is_flag:
        parser.add_argument(row.name, default=row.default, help=_help(row, parser.style), **how)
        return
    how |= {"dest": row.name, "default": argparse.SUPPRESS}
    parser.add_argument(row.label, help=_help(row, parser.style), **how)


def given_options(options: argparse.Namespace, verb: str) -> dict[str, Any]:
    """The options of a launch that were typed, by their names.

    Raises:
        BadInput: an option that this command does not have.
    """
    typed = vars(options)
    found = {}
    for row in rows(LaunchRequest):
        if f"no_{row.name}" in typed:
            raise row.refuse(verb)
        if row.name in typed:
            value = typed[row.name]
            if isinstance(row.kind, Variables):
                value = {name: text for one in value for name, text in one.items()}
            found[row.name] = value
    return found


def _help(row: Option, style: Style) -> str:
    repeated = "; may be repeated" * isinstance(row.kind, Variables)
    text = style.render(row.help.replace("``", ""))
    return (text + repeated).replace("%", "%%")


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
    number: int = Signal().reader("--signal")(text)
    return number
