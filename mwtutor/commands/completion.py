"""Completion at a cursor, in a command's line and in a session's cells.

The words of a line come from the command's parser and from the existing runs, and those of a cell
from the worker that will execute it.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mwtutor import find_runs
from mwtutor.commands import dispatch
from mwtutor.commands.choice import names_a_run
from mwtutor.exceptions import MwtutorError
from mwtutor.interface import MAGIC
from mwtutor.run.request.option_kinds import Choice, rows
from mwtutor.run.request.options import LaunchRequest

#: Commands that act on a run in progress.
_OF_LIVE_RUNS = ("wait", "stop", "kill", "stacks", "top", "unplug", "plug", "link")

#: Arguments that IPython itself completes: files, and the notebook's variables.
_OTHERS = ("path", "file", "names")

#: Arguments that a run's name may replace.
_BEFORE_NAMES = ("task", "metric", "file")

#: The beginning of a line with one of mwtutor's magics.
_MAGIC = re.compile(r"\s*(?:%mw_(?P<line>\w+)|%%(?P<cell>mw\w*))\s+")

#: The first line of a cell that workers execute.
_CELL = re.compile(r"%%(?P<verb>mw|mw_scope)\b(?P<options>.*)")


@dataclass(frozen=True)
class Candidates:
    """The completions of the word at the cursor.

    Attributes:
        typed: the part of the word before the cursor, which is replaced.
        found: the replacements, the likeliest first.
        kinds: the kind of each replacement, in a word; empty if unknown.
    """

    typed: str
    found: tuple[str, ...]
    kinds: tuple[str, ...] = ()


def candidates(code: str, line: int, column: int) -> Candidates | None:
    """The completions in a notebook's cell; None if they are left to IPython.

    Args:
        code: the whole cell.
        line, column: the cursor's position, both counted from 0.
    """
    lines = code.split("\n")
    cell = _WorkersCell.from_lines(lines)
    if cell is not None and line > cell.head:
        return cell.candidates(line, column)
    before = lines[line][:column]
    magic = _MAGIC.match(before)
    if magic is None or (magic["cell"] and any(map(str.strip, lines[:line]))):
        return None
    return following(magic["line"] or magic["cell"], before[magic.end() :])


def inspect_at(code: str, cursor: int, detail: int) -> Mapping[str, Any] | None:
    """A worker's information about the name at the cursor, in the format of Jupyter's messages.

    Returns:
        None if workers do not execute the cell. If no worker answers, the result says that nothing
        was found.
    """
    lines = code.split("\n")
    cell = _WorkersCell.from_lines(lines)
    if cell is None or cursor <= cell.offset - 1:
        return None
    wish = {"code": cell.body, "cursor_pos": cursor - cell.offset, "detail_level": detail}
    nothing = {"status": "ok", "found": False, "data": {}, "metadata": {}}
    return cell.ask("inspect_request", wish) or nothing


def following(verb: str, line: str) -> Candidates | None:
    """The completions of the last word of a command's line.

    Args:
        line: the text after the command's name, up to the cursor.
    """
    fragment = re.split(r"\s", line)[-1]
    try:
        words = shlex.split(line[: len(line) - len(fragment)])
        parser = dispatch.parser(verb, MAGIC)
    except (ValueError, KeyError):  # an open quote, or no such command
        return None
    if "--" in words:  # the next words belong to the program
        return None
    typed = _Typed(verb)
    for word in words:
        typed.take(parser, word)
    return typed.candidates(parser, fragment)


@dataclass
class _Typed:
    """The arguments on the line so far."""

    verb: str
    values: dict[str, str] = field(default_factory=dict)
    given: list[argparse.Action] = field(default_factory=list)
    pending: argparse.Action | None = None

    def take(self, parser: argparse.ArgumentParser, word: str) -> None:
        if self.pending is not None:
            self.values[self.pending.dest], self.pending = word, None
        elif word.startswith("-"):
            name, equals, value = word.partition("=")
            action = parser._option_string_actions.get(name)
            if action is None:
                return
            self.given.append(action)
            if equals:
                self.values[action.dest] = value
            elif action.nargs is None:
                self.pending = action
        elif (place := self._place(parser)) is not None:
            is_run = place.dest in _BEFORE_NAMES and names_a_run(word, place.dest)
            self.values["name" if is_run else place.dest] = word

    def _place(self, parser: argparse.ArgumentParser) -> argparse.Action | None:
        """The positional argument that the next word belongs to."""
        for action in parser._get_positional_actions():
            if action.dest not in self.values or action.nargs in ("+", "*"):
                return action
        return None

    def candidates(self, parser: argparse.ArgumentParser, fragment: str) -> Candidates:
        if self.pending is not None:
            return self._values(self.pending, fragment)
        if fragment.startswith("-"):
            name, equals, value = fragment.partition("=")
            action = parser._option_string_actions.get(name)
            if equals and action is not None:
                return self._values(action, value)
            return self._options(parser, fragment)
        place = self._place(parser)
        found = self._values(place, fragment) if place is not None else Candidates(fragment, ())
        if found.found or fragment or (place is not None and place.dest in _OTHERS):
            return found
        return self._options(parser, "")

    def _options(self, parser: argparse.ArgumentParser, fragment: str) -> Candidates:
        found = tuple(
            name
            for action in parser._get_optional_actions()
            if action.help != argparse.SUPPRESS
            if action not in self.given or isinstance(action, argparse._AppendAction)
            if (name := max(action.option_strings, key=len)).startswith(fragment)
        )
        return Candidates(fragment, found, ("option",) * len(found))

    def _values(self, action: argparse.Action, fragment: str) -> Candidates:
        kinds = {row.name: row.kind for row in rows(LaunchRequest) if row.is_flag}
        kind = kinds.get(action.dest)
        found: dict[str, str] = {}
        if isinstance(kind, Choice):
            found = dict.fromkeys(kind.names, "value")
        else:
            for name, source in _SOURCES.get(action.dest, {}).items():
                with contextlib.suppress(MwtutorError, OSError):  # no such run, session or folder
                    found |= dict.fromkeys(source(self, fragment), name)
        kept = {one: name for one, name in found.items() if one.startswith(fragment)}
        return Candidates(fragment, tuple(kept), tuple(kept.values()))


# -- existing names -----------------------------------------------------------------------------


def _programs(typed: _Typed, fragment: str) -> Iterable[str]:
    if "module" in typed.values:
        return
    folder = fragment[: fragment.rfind("/") + 1]
    with os.scandir(os.path.expanduser(folder) or ".") as entries:
        there = sorted((entry.is_dir(), entry.name) for entry in entries)
    for is_directory, name in there:
        hidden = name.startswith((".", "__")) and not fragment[len(folder) :]
        if not hidden and (is_directory or name.endswith(".py")):
            yield f"{folder}{name}{'/' * is_directory}"


def _names(typed: _Typed, fragment: str) -> Iterable[str]:
    if typed.verb == "workspace":
        return [f"lesson-{number}" for number in _lessons(typed, fragment)]
    if typed.verb not in dispatch.RUN_VERBS:
        from mwtutor.sessions.session import Sessions
        from mwtutor.singletons import singleton

        return [session.name for session in reversed(singleton(Sessions))]
    known = find_runs.runs()
    if typed.verb in _OF_LIVE_RUNS:
        known = [run for run in known if not run.recorded_end] or known
    return [run.name for run in known]


def _tasks(typed: _Typed, fragment: str) -> Iterable[str]:
    name = typed.values.get("name", "")
    if typed.verb not in dispatch.RUN_VERBS:
        from mwtutor.sessions.session import find

        return map(str, find(name).tasks)
    size = find_runs.look_up(name).spec.request.size
    return map(str, size.at([f"localhost:{port + 1}" for port in range(size.tasks)]).tasks())


def _exercises(typed: _Typed, fragment: str) -> Iterable[str]:
    from mwtutor.exercises.catalogue import all_lessons

    return [one.id for lesson in all_lessons().values() for one in lesson]


def _earlier(typed: _Typed, fragment: str) -> Iterable[str]:
    from mwtutor.exercises.left_files import workspaces_with_files

    return workspaces_with_files()


def _lessons(typed: _Typed, fragment: str) -> Iterable[str]:
    from mwtutor.exercises.catalogue import all_lessons

    return list(all_lessons())


def _signals(typed: _Typed, fragment: str) -> Iterable[str]:
    return ("KILL", "TERM", "SEGV", "INT", "STOP", "CONT")


def _several_names(typed: _Typed, fragment: str) -> Iterable[str]:
    """Names of runs, or of variables; IPython knows the notebook's variables."""
    if typed.verb in dispatch.RUN_VERBS:
        return _names(typed, fragment)
    if typed.verb != "pull":
        return []
    cell = _WorkersCell(0, fragment, 0, typed.values.get("name", ""), typed.values.get("task", ""))
    found = cell.candidates(1, len(fragment))
    kept = [name for name in (found.found if found is not None else ()) if name.isidentifier()]
    return [*kept, *_names(typed, fragment)] if "name" not in typed.values else kept


def _runs_of_tasks(typed: _Typed, fragment: str) -> Iterable[str]:
    """Names of runs, which may be typed before or instead of a task."""
    known = typed.verb in dispatch.RUN_VERBS and "name" not in typed.values
    return _names(typed, fragment) if known else ()


#: For each argument, the kinds of its possible values, each with a function that lists them.
_SOURCES: Mapping[str, Mapping[str, Callable[[_Typed, str], Iterable[str]]]] = {
    "program": {"path": _programs},
    "name": {"name": _names},
    "task": {"task": _tasks, "name": _runs_of_tasks},
    "exercise": {"exercise": _exercises},
    "lesson": {"lesson": _lessons},
    "earlier": {"name": _earlier},
    "signal": {"signal": _signals},
    "names": {"name": _several_names},
}


# -- cells of a session ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _WorkersCell:
    """A cell that workers execute.

    Attributes:
        head: the line of its magic.
        body: the code that the workers execute.
        offset: the position in the cell at which the body begins.
        name, task: the names of the session and the worker; empty if the magic omits them.
    """

    head: int
    body: str
    offset: int
    name: str
    task: str

    @classmethod
    def from_lines(cls, lines: list[str]) -> _WorkersCell | None:
        head = next((number for number, line in enumerate(lines) if line.strip()), 0)
        match = _CELL.match(lines[head])
        if match is None:
            return None
        typed = _Typed(match["verb"])
        for word in match["options"].split():
            typed.take(dispatch.parser(match["verb"], MAGIC), word)
        offset = sum(len(line) + 1 for line in lines[: head + 1])
        named = (typed.values.get(name, "") for name in ("name", "task"))
        return cls(head, "\n".join(lines[head + 1 :]), offset, *named)

    def candidates(self, line: int, column: int) -> Candidates | None:
        above = self.body.split("\n")[: line - self.head - 1]
        cursor = sum(len(one) + 1 for one in above) + column
        reply = self.ask("complete_request", {"code": self.body, "cursor_pos": cursor})
        if reply is None or reply.get("cursor_end") != cursor:
            return None
        types = reply.get("metadata", {}).get("_jupyter_types_experimental", ())
        typed, found = self.body[reply["cursor_start"] : cursor], reply["matches"]
        owner = typed[: typed.rfind(".") + 1]  # some versions of IPython repeat this part
        if not all(one.startswith(owner) for one in found):
            owner = ""
        kinds = tuple(str(one.get("type", "")) for one in types if len(types) == len(found))
        return Candidates(typed[len(owner) :], tuple(one[len(owner) :] for one in found), kinds)

    def ask(self, verb: str, content: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The answer of a worker; None if there is no session or the worker is busy."""
        from mwtutor.sessions.session import find

        try:
            session = find(self.name)
            return session.look_up(verb, content, session.task(self.task) if self.task else None)
        except MwtutorError:  # no such session
            return None
