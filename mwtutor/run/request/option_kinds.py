"""Options, each defined by one row, and the kinds of their values.

A row is a field of a frozen dataclass, created with :func:`option`. Its kind reads the typed text
and decides which values are valid, so that magics, the terminal and Python show the same messages.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
import numbers
import operator
import os
import re
import shlex
import signal
import textwrap
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from mwtutor.exceptions import BadInput
from mwtutor.interface import MAGIC
from mwtutor.network import links
from mwtutor.system import plugins
from mwtutor.system.plugins import TARGETS, Plugins

T = TypeVar("T")
P = ParamSpec("P")

#: A valid name of a shell variable; anything else in its place would be code.
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


#: The places that may honor an option: engines by name (``other`` is any that another package
#: adds), files for a scheduler, Horovod's ranks and JAX's processes.
ENGINES = frozenset([*plugins.ENGINES.built_in, "other"])
FILES = frozenset(f"{name} file" for name in (*TARGETS.built_in, "other"))
EVERYWHERE = ENGINES | FILES | {"horovod", "jax"}


class Kind:
    """A kind of value. This one is any text."""

    #: How a value is shown in help; empty for a flag.
    metavar = "TEXT"
    #: What to do about an invalid value: a sentence.
    remedy = "Write it as a string."

    def read(self, text: str) -> Any:
        """The value that a typed word means, or an invalid word itself, which ``fit`` rejects."""
        return text

    def fit(self, value: Any) -> Any:
        """The value as it is stored.

        Raises:
            TypeError, ValueError, OverflowError: the value is not of this kind.
        """
        if not isinstance(value, str):
            raise TypeError
        return value

    def words(self, flag: str, value: Any) -> str:
        """The words that a user would type for a value, with its option."""
        return f"{flag} {shlex.quote(str(value))}"

    def check(self, value: Any, name: str) -> Any:
        """The value in the form in which it is stored, or an error that quotes it.

        Raises:
            BadInput: it is not of this kind.
        """
        try:
            return self.fit(value)
        except BadInput:
            raise
        except Exception:  # methods of a value of an unknown class may raise anything
            raise BadInput(f"{name} cannot be {short_repr(value)}.", self.remedy) from None

    def reader(self, name: str) -> Callable[[str], Any]:
        """A function for a parser, which reads a typed word and checks it."""
        return lambda text: self.check(self.read(text), name)


@dataclass(frozen=True)
class Text(Kind):
    """Text; ``remedy`` says what to do about anything else."""

    remedy: str = Kind.remedy
    metavar: str = Kind.metavar


@dataclass(frozen=True)
class FilePath(Kind):
    """A path, as text or as a :class:`pathlib.Path`; stored as text."""

    metavar: str = "PATH"
    remedy: str = "Write the path as a string."

    def fit(self, value: Any) -> str:
        path = os.fspath(value)
        if not isinstance(path, str) or "\0" in path:
            raise ValueError
        os.fsencode(path)
        return path


class Flag(Kind):
    """Yes or no."""

    metavar = ""
    remedy = "Write True or False."

    def fit(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise TypeError
        return value

    def words(self, flag: str, value: Any) -> str:
        return flag


@dataclass(frozen=True)
class Count(Kind):
    """A whole number, 0 or more; ``none`` allows None as well."""

    none: bool = False
    remedy: str = "Write a whole number, 0 or more."
    metavar: str = "N"

    def read(self, text: str) -> int | str:
        return int(text) if re.fullmatch(r"-?[0-9]{1,12}", text) else text

    def fit(self, value: Any) -> int | None:
        if value is None and self.none:
            return None
        if isinstance(value, bool) or not 0 <= (number := operator.index(value)) < 10**9:
            raise ValueError
        return number


class Size(Kind):
    """A number of bytes, 1 or more; stored as a whole number, where 0 means that none was given."""

    metavar = "SIZE"
    remedy = "Write a number of bytes, for example 256KiB, 1MiB or 4096."
    _units: Mapping[str, int] = {
        "": 1,
        "b": 1,
        **{f"{k}b": 1000**n for n, k in enumerate("kmg", 1)},
        **{f"{k}ib": 1024**n for n, k in enumerate("kmg", 1)},
    }

    def read(self, text: str) -> int | str:
        found = re.fullmatch(r"([0-9]{1,12}) ?([A-Za-z]*)", text)
        if found is None or found[2].lower() not in self._units or not int(found[1]):
            return text
        return int(found[1]) * self._units[found[2].lower()]

    def fit(self, value: Any) -> int:
        if isinstance(value, str):
            value = self.read(value)
        if isinstance(value, bool) or not 0 <= (size := operator.index(value)) < 1 << 40:
            raise ValueError
        return size


@dataclass(frozen=True)
class CountOrEach(Count):
    """A whole number; True, or the option without a value, means one for each task."""

    def fit(self, value: Any) -> int | bool:
        return value if isinstance(value, bool) else int(super().fit(value) or 0)


class WorkerRange(Kind):
    """The smallest and the largest number of workers; stored as typed, and empty if not given."""

    metavar = "MIN:MAX"
    remedy = "Write the smallest and the largest number of workers, for example 1:2."

    def fit(self, value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError
        if not value:
            return value
        found = re.fullmatch(r"([0-9]{1,6}):([0-9]{1,6})", value)
        if found is None:
            raise ValueError
        least, most = map(int, found.groups())
        if not 1 <= least < most:
            why = "at least one worker must remain" if least < 1 else "MIN must be below MAX"
            raise BadInput(f"--elastic cannot be {value}: {why}.", self.remedy)
        return f"{least}:{most}"


class LinkSpeed(Kind):
    """The capacity of a link; stored in its shortest form."""

    metavar = "LINK"
    remedy = links.REMEDY

    def fit(self, value: Any) -> str:
        return str(links.Link.parse(value)) if value else ""


class Seconds(Kind):
    """A length of time."""

    metavar = "S"
    remedy = "Write a number of seconds, for example 30."

    def read(self, text: str) -> float | str:
        try:
            return float(text)
        except ValueError:
            return text

    def fit(self, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise TypeError
        if not math.isfinite(seconds := float(value)) or not 0 <= seconds < 1e9:
            raise ValueError
        return seconds


@dataclass(frozen=True)
class Choice(Kind):
    """One of a few words; a whole number means the word with the same spelling."""

    names: tuple[str, ...]

    @property
    def metavar(self) -> str:  # type: ignore[override]
        return f"{{{','.join(self.names)}}}"

    @property
    def remedy(self) -> str:  # type: ignore[override]
        return f"Choose one of {', '.join(self.names)}."

    def fit(self, value: Any) -> str:
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str) or value not in self.names:
            raise ValueError
        return value


@dataclass(frozen=True)
class PluginName(Kind):
    """The name of one of ``plugins``."""

    plugins: Plugins

    @property
    def names(self) -> tuple[str, ...]:
        return self.plugins.names()

    @property
    def metavar(self) -> str:  # type: ignore[override]
        return f"{{{','.join(self.plugins.built_in)}}}"

    remedy = Choice.remedy

    def fit(self, value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError
        if value not in self.plugins.built_in and value not in self.names:
            raise ValueError
        return value


class Variables(Kind):
    """Environment variables: names and values; None means none. A typed word sets one."""

    metavar = "NAME=VALUE"
    remedy = "Write a dictionary of names and values, for example {'SEED': '1'}."

    def read(self, text: str) -> dict[str, str]:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise BadInput(f"--env {text!r} is not NAME=VALUE.", "Write it as --env SEED=1.")
        return {name: value}

    def fit(self, value: Any) -> dict[str, str]:
        if value is not None and not isinstance(value, Mapping):
            raise TypeError
        variables = dict(value or {})
        for name, content in variables.items():
            self._check(name, content)
        return variables

    def words(self, flag: str, value: Any) -> str:
        return " ".join(f"{flag} {shlex.quote(f'{name}={value[name]}')}" for name in value)

    def _check(self, name: Any, value: Any) -> None:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise BadInput(
                f"{short_repr(name)} cannot be the name of a variable.",
                "Use letters, digits and '_', not beginning with a digit: --env SEED=1.",
            )
        if name == "TF_CONFIG":
            raise BadInput(
                "TF_CONFIG cannot be set with --env: every task gets its own.", "Leave it out."
            )
        if not isinstance(value, str) or not _can_be_set(value):
            text = repr(str(value)) if isinstance(value, (int, float)) else "text without NUL"
            raise BadInput(
                f"The variable {name} cannot be {short_repr(value)}: its value must be text.",
                f"Write {text}.",
            )


class Words(Kind):
    """The program's own arguments, each as a user would type it; numbers and paths become text."""

    metavar = "ARGS"
    remedy = "Write a list of strings, one for each argument, for example ['--epochs', '3']."

    def fit(self, value: Any) -> tuple[str, ...]:
        if isinstance(value, (str, bytes, Mapping, Set)) or not isinstance(value, Iterable):
            raise TypeError
        return tuple(map(self._word, value))

    def _word(self, word: Any) -> str:
        text = str(word) if isinstance(word, (int, float)) else os.fspath(word)
        if not isinstance(text, str) or not _can_be_set(text):
            raise TypeError
        return text


#: A field in :class:`TaskWords`, and the names of the existing fields.
FIELD = re.compile(r"\{([A-Za-z_]+)\}")
FIELDS = ("type", "index", "chief", "worker", "ps")


class TaskWords(Kind):
    """Words of a command line whose fields are filled in for each task; stored as typed."""

    remedy = "Write text with the fields {type} and {index}, for example '--index {index}'."

    def fit(self, value: Any) -> str:
        if not isinstance(value, str) or not _can_be_set(value):
            raise TypeError
        shlex.split(value)
        for name in FIELD.findall(value):
            if name not in FIELDS:
                known = ", ".join(f"{{{field}}}" for field in FIELDS)
                raise BadInput(f"--args-per-task has no field {{{name}}}.", f"Use one of {known}.")
        return value

    def words(self, flag: str, value: Any) -> str:
        return f"{flag}={shlex.quote(value)}"


class Signal(Kind):
    """A signal by name, with or without SIG, or by number; stored as its number."""

    metavar = "SIGNAL"
    remedy = "Write KILL, TERM, SEGV or INT, or the number of a signal."

    def read(self, text: str) -> Any:
        if re.fullmatch(r"[0-9]{1,3}", text):
            return int(text)
        return getattr(signal.Signals, f"SIG{text.upper().removeprefix('SIG')}", text)

    def fit(self, value: Any) -> int:
        if isinstance(value, bool):
            raise TypeError
        return int(signal.Signals(operator.index(value)))


def _can_be_set(text: str) -> bool:
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def short_repr(value: object) -> str:
    """A value as Python writes it, shortened; its type if it cannot be written."""
    try:
        text = repr(value)
    except Exception:
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= 60 else f"{text[:50]}..."


# -- rows -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Option:
    """A row: one option.

    Attributes:
        name: the name of the field, and of the keyword in Python.
        kind: decides which values are valid.
        help: its purpose: a clause, its unit and default included.
        default: the value that requests nothing.
        verbs: the commands that have it.
        label: its name in errors, for example ``--share-gpus`` for a flag.
        refusals: for commands that do not have it, the reason and what to do instead.
        where: the places where it has an effect, see :data:`EVERYWHERE`; elsewhere it is rejected.
    """

    name: str
    kind: Kind
    help: str
    default: Any
    verbs: tuple[str, ...]
    label: str
    refusals: Mapping[str, tuple[str, str]]
    where: Set[str]

    @property
    def is_flag(self) -> bool:
        """Whether the option is typed with dashes; if not, each command defines its position."""
        return self.label.startswith("--")

    def check(self, value: Any) -> Any:
        """The value as it is stored; raises :class:`BadInput` if it is invalid."""
        return self.kind.check(value, self.label)

    def refuse(self, verb: str) -> BadInput:
        """The error that says why ``verb`` does not have this option."""
        return BadInput(
            *self.refusals.get(
                verb, (f"%mw_{verb} has no {self.label}.", "Leave it out, or use @mw_launch.")
            )
        )


def option(
    default: T,
    kind: Kind,
    help: str,
    *,
    verbs: tuple[str, ...] = ("launch", "start"),
    label: str = "",
    refusals: Mapping[str, tuple[str, str]] | None = None,
    where: Set[str] = frozenset(["local"]),
) -> T:
    """The field of a row, see :class:`Option`."""
    row = Option("", kind, help, default, verbs, label, refusals or {}, where)
    return field(default=default, metadata={"row": row})


def required(kind: Kind, help: str, label: str) -> Mapping[str, Any]:
    """The metadata of a field that has no default."""
    row = Option("", kind, help, None, ("launch", "start"), label, {}, EVERYWHERE)
    return {"row": row}


def requested_rows(request: Any) -> list[Option]:
    """The rows of a request's table that request something."""
    table: Any = type(request)
    return [row for row in rows(table) if getattr(request, row.name) not in (row.default, {}, ())]


@functools.cache
def rows(table: Any) -> tuple[Option, ...]:
    """The rows of a dataclass, in their order."""
    return tuple(_row(found) for found in dataclasses.fields(table) if "row" in found.metadata)


def row(table: Any, name: str) -> Option:
    return next(row for row in rows(table) if row.name == name)


def _row(found: dataclasses.Field[Any]) -> Option:
    row: Option = found.metadata["row"]
    label = row.label or f"--{found.name.replace('_', '-')}"
    return dataclasses.replace(row, name=found.name, label=label)


def _described(row: Option) -> str:
    """A row as it appears in docstrings."""
    lead = " " * 8
    choices = f" {row.kind.remedy}" if isinstance(row.kind, Choice) else ""
    text = f"{row.name}: {MAGIC.render(row.help)}.{choices}"
    return textwrap.fill(text, 96, initial_indent=lead, subsequent_indent=f"{lead}    ")


def takes(table: Callable[P, Any]) -> Callable[[Callable[..., T]], Callable[P, T]]:
    """Give a function a table's signature, and its rows in place of ``{rows}`` in the docstring."""

    def take(function: Callable[..., T]) -> Callable[P, T]:
        signature = inspect.signature(table)
        returned = inspect.signature(function).return_annotation
        changed: Any = function
        changed.__signature__ = signature.replace(return_annotation=returned)
        lines = "\n".join(_described(row) for row in rows(table)).strip()
        function.__doc__ = (function.__doc__ or "").replace("{rows}", lines)
        return changed  # type: ignore[no-any-return]

    return take
