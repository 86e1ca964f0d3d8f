"""Analyze a cell's text: where it is executed, which file it writes, and whether it compiles."""

from __future__ import annotations

import ast
import dis
import functools
import re
import shlex
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Literal

Place = Literal["notebook", "workers", "file", "elsewhere"]

#: Cell magics whose body is executed in the notebook.
_AROUND = ("time", "capture", "mw_needs")

#: The names that a cell seems to define if it does not compile.
_DEFINED = re.compile(
    r"^[ \t]*(?:(?:(?:async\s+)?def|class)\s+(\w+)|([\w \t,()*]+?)(?::[^=\n]+)?=(?!=))", re.M
)


@dataclass(frozen=True)
class Source:
    """A parsed cell.

    Attributes:
        place: where its body is executed, or that it is written to a file.
        body: the text without its cell magic.
        file: the file's path, as typed.
    """

    place: Place
    body: str
    file: str = ""

    @property
    def name(self) -> str:
        """The file's name, without its directory."""
        return self.file.rpartition("/")[-1]

    @functools.cached_property
    def assigned(self) -> frozenset[str]:
        """The names that the cell assigns or defines, without imports."""
        if self.place not in ("notebook", "workers"):
            return frozenset()
        try:
            tree = _parsed(self.body)
            stored = set(_stored(_compiled(tree)))
        except (SyntaxError, ValueError, RecursionError):
            found = [one or other for one, other in _DEFINED.findall(self.body)]
            return frozenset(re.findall(r"\w+", " ".join(found)))
        imports = [one for one in ast.walk(tree) if isinstance(one, (ast.Import, ast.ImportFrom))]
        brought = {alias.asname or alias.name for one in imports for alias in one.names}
        return frozenset(stored - {name.partition(".")[0] for name in brought})

    @functools.cached_property
    def fault(self) -> str:
        """Why the cell does not compile, as a clause; empty if it does."""
        if self.place == "elsewhere" or (self.place == "file" and not self.file.endswith(".py")):
            return ""
        try:
            _compiled(ast.parse(self.body) if self.place == "file" else _parsed(self.body))
        except SyntaxError as error:
            line = (error.text or "").strip()
            return f"{error.msg}{_line(error)}" + (f": {line}" if line else "")
        except (ValueError, RecursionError) as error:
            return str(error)
        return ""

    def mentions(self, names: set[str]) -> bool:
        """Whether one of these names occurs in the cell, even in a string."""
        return bool(names & set(re.findall(r"\w+", self.body)))


@functools.cache  # with a limit, each check would read all cells again once they exceed it
def read(source: str) -> Source:
    """Read the text of a cell."""
    first, _, body = source.lstrip("\n").partition("\n")
    if not first.startswith("%%"):
        return Source("notebook", source)
    magic, _, line = first[2:].partition(" ")
    if magic in ("mw", "mw_scope"):
        return Source("workers", body)
    if magic in ("writefile", "file"):
        return _file(line, body)
    return read(body) if magic in _AROUND else Source("elsewhere", body)


def same(one: str, other: str) -> bool:
    """Whether two texts differ only in spaces at the ends of lines and of the text."""
    return _trimmed(one) == _trimmed(other)


def _trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


def _file(line: str, body: str) -> Source:
    try:
        words = shlex.split(line)
    except ValueError:
        words = line.split()
    names = [word for word in words if word not in ("-a", "--append")]
    if len(names) != 1 or len(names) != len(words):  # appended text is not the whole file
        return Source("elsewhere", body)
    return Source("file", body, names[0])


def _parsed(body: str) -> ast.Module:
    from IPython.core.inputtransformer2 import TransformerManager

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree: ast.Module = ast.parse(TransformerManager().transform_cell(body))
        return tree


def _compiled(tree: ast.Module) -> CodeType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # shown when the cell was executed
        code: CodeType = compile(
            tree, "<cell>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True
        )
        return code


def _stored(code: CodeType) -> Iterator[str]:
    for one in dis.get_instructions(code):
        if one.opname in ("STORE_NAME", "STORE_GLOBAL"):
            yield str(one.argval)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from (
                str(one.argval)
                for one in dis.get_instructions(inner)
                if one.opname == "STORE_GLOBAL"
            )


def _line(error: SyntaxError) -> str:
    return f", line {error.lineno}" if error.lineno else ""
