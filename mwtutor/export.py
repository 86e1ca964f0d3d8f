"""A session's cells as a script that runs anywhere."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Sequence
from pathlib import Path

from mwtutor.cells import Cell
from mwtutor.exceptions import BadInput, SessionError
from mwtutor.worker.preamble import SOURCE

_HEAD = '"""Cells of a notebook, exported by %mw_export.'
_DOC = f"""{_HEAD}

Run it with ``%mw_launch 2 FILE``, or as ``python FILE`` on each machine of a cluster, with
``TF_CONFIG`` set there.
\"\"\""""


def script(cells: Sequence[Cell]) -> str:
    """The source: what every worker had before the first cell, then the cells in their order."""
    parts = [f"{_DOC}\n\n{SOURCE}", *map(_section, cells)]
    return "\n".join(part.strip("\n") + "\n" for part in parts)


def write_script(cells: Sequence[Cell], path: Path, *, force: bool = False) -> int:
    """Write the script; how many cells are in it.

    Raises:
        SessionError: nothing has been executed yet.
        BadInput: the file cannot be written, or is somebody's own.
    """
    if not cells:
        raise SessionError(
            "No cell has been executed with success, so there is nothing to export.",
            "Run %%mw and %%mw_scope cells first.",
        )
    path = path.expanduser()
    try:
        if path.exists() and not force and not path.read_text().startswith(_HEAD):
            raise BadInput(
                f"{path} is there and was not written by %mw_export.",
                "Choose another name, or overwrite it with --force.",
            )
        path.write_text(script(cells).replace("FILE", path.name, 2), encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be written: {error}.", "Choose another name.") from None
    return len(cells)


def _section(cell: Cell) -> str:
    try:
        compile(cell.source, "<cell>", "exec", dont_inherit=True)
    except SyntaxError:  # a magic, a shell command, an await: for a notebook, not for a script
        commented = "\n".join(f"# {line}".rstrip() for line in cell.source.strip().split("\n"))
        return f"\n# This cell uses IPython's own syntax, which a script cannot:\n{commented}\n"
    head = _head(cell)
    if not head or not any(True for _ in ast.iter_child_nodes(ast.parse(cell.source))):
        return f"\n{cell.source.strip()}\n"
    return f"\n{head}\n{_indent(cell.source.strip(), 4 * (head.count(chr(10)) + 1))}\n"


def _head(cell: Cell) -> str:
    scope = "with strategy.scope():" if cell.scope else ""
    if not cell.tasks:
        return scope
    chosen = " or ".join(
        f'(task_type, task_index) == ("{task.type}", {task.index})' for task in cell.tasks
    )
    return f"if {chosen}:" + (f"\n    {scope}" if scope else "")


def _indent(source: str, by: int) -> str:
    """Indent the code, but not what lies inside strings of several lines."""
    inside: set[int] = set()
    opened = 0
    starts = getattr(tokenize, "FSTRING_START", None)
    ends = getattr(tokenize, "FSTRING_END", None)
    for token in tokenize.generate_tokens(io.StringIO(source + "\n").readline):
        if token.type == tokenize.STRING:
            inside.update(range(token.start[0] + 1, token.end[0] + 1))
        elif token.type == starts:
            opened = token.start[0]
        elif token.type == ends:
            inside.update(range(opened + 1, token.end[0] + 1))
    return "\n".join(
        line if number in inside or not line.strip() else " " * by + line
        for number, line in enumerate(source.split("\n"), 1)
    )
