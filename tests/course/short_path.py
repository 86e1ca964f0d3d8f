"""Faults of short paths: needs of their cells that only cells outside the path can meet.

A cell needs the names that it reads and does not assign (in its code, its options and its
predictions), the files that it names or imports, and a session if it runs on workers. Missing runs
and other files become visible only when the cells run, in ``test_short_path``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from IPython.core.inputtransformer2 import TransformerManager

from tests.course.lesson import Cell, Lesson

#: Maximum number of cells in a short path, including those before section 1.
FEWEST, MOST = 5, 20

_FILE = re.compile(r"%%writefile (\S+)")
_PULL = re.compile(r"^%mw_pull (.*)$", re.MULTILINE)
_START = re.compile(r"^(%mw_start)\b", re.MULTILINE)
_ON_WORKERS = re.compile(r"^%%mw(?:_scope)?\s|^%mw_pu(?:ll|sh)\b", re.MULTILINE)
_OPTION = re.compile(r"\$(\w+)")
_PREDICTED = re.compile(r"^%mw_predict (\S+)", re.MULTILINE)
_OUTCOME = re.compile(r"^%mw_outcome (\S+)", re.MULTILINE)
_VALUE = re.compile(r"\{(.*?)\}")


def faults(lesson: Lesson) -> Iterator[str]:
    """The faults of the lesson's short path, one sentence each."""
    short = lesson.short
    if not short:
        yield "its first cell does not name its short path: **Short path:** sections 1 and 3."
    elif not FEWEST <= len(short) <= MOST:
        yield f"its short path has {len(short)} cells: {FEWEST} to {MOST} are wanted"
    text = "\n".join(cell.source for cell in short)
    if guessed := set(_PREDICTED.findall(text)) ^ set(_OUTCOME.findall(text)):
        yield f"its short path has only one of prediction and outcome: {', '.join(sorted(guessed))}"
    given: set[str] = set()
    left_out: set[str] = set()
    for cell in lesson.cells:
        if cell in short:
            for name in sorted((_reads(cell) & left_out) - given):
                yield f"the cell {cell.id} of its short path needs {name}, which is not on it"
            given |= _gives(cell)
        else:
            left_out |= _gives(cell)


def _gives(cell: Cell) -> set[str]:
    if file := _FILE.match(cell.source):
        return {file[1]}
    pulled = {word for line in _PULL.findall(cell.source) for word in line.split(" --")[0].split()}
    return (
        pulled
        | set(_START.findall(cell.source))
        | {name for line in _code(cell).body for node in _outside(line) for name in _assigned(node)}
    )


def _reads(cell: Cell) -> set[str]:
    nodes = list(ast.walk(_code(cell)))
    own = {name for node in nodes for name in _assigned(node)} | _gives(cell)
    read = {node.id for node in nodes if isinstance(node, ast.Name)}
    outcomes = [line for line in cell.source.splitlines() if _OUTCOME.match(line)]
    read |= {"%mw_start"} if _ON_WORKERS.search(cell.source) else set()
    read |= set(_OPTION.findall(cell.source))
    values = [value for line in outcomes for value in _VALUE.findall(line)]
    read |= {name for value in values for name in re.findall(r"[A-Za-z_]\w*", value)}
    imported = {
        f"{name}.py" for name in re.findall(r"^\s*(?:import|from) (\w+)", cell.source, re.M)
    }
    return (read - own) | imported | (set(re.findall(r"[\w/]+\.py\b", cell.source)) - own)


def _code(cell: Cell) -> ast.Module:
    """The Python of a cell, without the line of a cell magic."""
    source = cell.source
    while source.startswith("%%"):
        source = source.partition("\n")[2]
    return ast.parse(TransformerManager().transform_cell(source))


def _outside(node: ast.AST) -> Iterator[ast.AST]:
    """A statement and its parts, without the bodies of functions and classes."""
    yield node
    if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda | ast.comprehension):
        for child in ast.iter_child_nodes(node):
            yield from _outside(child)


def _assigned(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(ctx=ast.Store(), id=name) | ast.arg(arg=name):
            yield name
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.alias(name=name, asname=other):
            yield other or name
