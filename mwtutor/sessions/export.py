"""A session's cells as a script that runs anywhere."""

from __future__ import annotations

import ast
import contextlib
import io
import tokenize
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mwtutor.exceptions import BadInput, SessionError
from mwtutor.run.request.options import LaunchRequest
from mwtutor.sessions.result import Cell
from mwtutor.system.files import write_whole
from mwtutor.worker import predefined_names

_HEAD = '"""Cells of a notebook, exported by %mw_export.'
_DOC = f"""{_HEAD}

Run it with ``%mw_launch {{line}}``, or as ``python {{file}}`` on each machine of a cluster, with
``TF_CONFIG`` set there.
\"\"\""""


#: Code for what mwtutor does automatically for programs that it starts.
_BRIDGES = """\
import mwtutor.bridges

mwtutor.bridges.enable()  # Keras 3 and the Estimator need it
"""

_KERAS = """\
import os

os.environ.setdefault("TF_USE_LEGACY_KERAS", "{}")  # the session used Keras {}
"""


_PLAIN = LaunchRequest("")


def script(cells: Sequence[Cell], request: LaunchRequest = _PLAIN, name: str = "FILE") -> str:
    """The script's source: the code before the first cell, then the cells in order.

    Args:
        cells: the executed cells.
        request: the session's request.
        name: the name of the script's file.
    """
    keras = request.keras
    chosen = _KERAS.format("1" if keras == "2" else "0", keras) if keras != "auto" else ""
    sections = [_section(cell) for cell in cells]
    if any("display(" in section for section in sections):  # a builtin in IPython
        sections.insert(0, "from IPython.display import display\n")
    doc = _DOC.format(file=name, line=_line(request, name))
    before = predefined_names.source(ps=bool(request.ps), partition=request.partition)
    parts = [doc, f"{chosen}\n{_BRIDGES}".lstrip(), before, *sections]
    return "\n".join(part.strip("\n") + "\n" for part in parts)


def _line(request: LaunchRequest, name: str) -> str:
    """The command that launches the script on a cluster like the session's."""
    chief = " --chief" * request.chief
    return f"{request.workers} {name}{chief}" + (f" --ps {request.ps}" if request.ps else "")


def write_script(
    cells: Sequence[Cell], path: Path, request: LaunchRequest = _PLAIN, *, force: bool = False
) -> int:
    """Write the script, and return how many cells are in it.

    Raises:
        SessionError: no cell has succeeded yet.
        BadInput: the file cannot be written, or it exists and is not an exported script.
    """
    if not cells:
        raise SessionError(
            "No cell has succeeded yet, so there is nothing to export.",
            "Run %%mw and %%mw_scope cells first.",
        )
    path = path.expanduser()
    try:
        if path.exists() and not force and not path.read_text().startswith(_HEAD):
            raise BadInput(
                f"{path} exists and was not written by %mw_export.",
                "Choose another name, or overwrite it with --force.",
            )
        write_whole(path, script(cells, request, path.name).encode())
    except (OSError, UnicodeError) as error:
        raise BadInput(f"{path} cannot be written: {error}.", "Choose another name.") from None
    return len(cells)


def _section(cell: Cell) -> str:
    source = _plain(cell.source)
    try:
        compile(source, "<cell>", "exec", dont_inherit=True)
        statements = ast.parse(source).body
    except SyntaxError:  # for example, await
        return f"\n# This cell is for IPython only:\n{_commented(source)}\n"
    head = _head(cell)
    if not head or not statements:
        return f"\n{source}\n"
    return f"\n{head}\n{_indent(source, 4 * (head.count(chr(10)) + 1))}\n"


def _plain(source: str) -> str:
    """The dedented cell; code that only IPython understands becomes a comment."""
    from IPython.core.inputtransformer2 import TransformerManager

    written = source.strip("\n").rstrip()
    try:
        python = TransformerManager().transform_cell(written).rstrip()
        statements = ast.parse(python).body
    except SyntaxError:
        return source.strip()
    lines, shown = python.split("\n"), written.split("\n")
    magic = [statement for statement in statements if _asks_ipython(statement)]
    if magic and len(lines) != len(shown):  # a magic for the whole cell, or over several lines
        return _commented(written)
    for statement in magic:
        for at in range(statement.lineno - 1, statement.end_lineno or statement.lineno):
            lines[at] = _commented(shown[at])
    return "\n".join(lines)


def _asks_ipython(statement: ast.stmt) -> bool:
    names = (node.id for node in ast.walk(statement) if isinstance(node, ast.Name))
    return "get_ipython" in names


def _commented(source: str) -> str:
    return "\n".join(f"# {line}".rstrip() for line in source.split("\n"))


def _head(cell: Cell) -> str:
    scope = "with strategy.scope():" if cell.scope else ""
    if not cell.tasks:
        return scope
    chosen = " or ".join(
        f'(task_type, task_index) == ("{task.type}", {task.index})' for task in cell.tasks
    )
    return f"if {chosen}:" + (f"\n    {scope}" if scope else "")


def _indent(source: str, by: int) -> str:
    """Indent the code, but not the inside of multiline strings."""
    inside: set[int] = set()
    opened: list[int] = []  # an f-string may contain others
    starts = getattr(tokenize, "FSTRING_START", None)
    ends = getattr(tokenize, "FSTRING_END", None)
    for token in tokenize.generate_tokens(io.StringIO(source + "\n").readline):
        if token.type == tokenize.STRING:
            inside.update(range(token.start[0] + 1, token.end[0] + 1))
        elif token.type == starts:
            opened.append(token.start[0])
        elif token.type == ends:
            inside.update(range(opened.pop() + 1, token.end[0] + 1))
    return "\n".join(
        line if number in inside or not line.strip() else " " * by + line
        for number, line in enumerate(source.split("\n"), 1)
    )


def assignment(name: str, value: Any) -> str:
    """The line of an exported script that assigns a pushed value."""
    text = repr(value)
    with contextlib.suppress(SyntaxError, ValueError):
        if len(text) <= 2000 and ast.literal_eval(text) == value:
            return f"{name} = {text}"
    return f"# {name} was pushed from the notebook: assign it here."
