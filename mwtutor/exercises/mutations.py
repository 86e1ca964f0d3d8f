"""Change a solution slightly, in one place at a time, to test whether its check notices."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

#: The replacements of an operator.
_OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
}

#: The number of characters of code that are quoted.
_QUOTED = 60


@dataclass(frozen=True)
class Mutation:
    """A changed solution.

    Attributes:
        change: the line, the replaced code, and its replacement.
        code: the cell.
    """

    change: str
    code: str


def mutations_of(cell: str, most: int) -> list[Mutation]:
    """Changes of a Python cell, spread evenly over it.

    Args:
        cell: its text; a cell magic in its first line is not changed.
        most: the maximum number of changes.
    """
    first, _, rest = cell.partition("\n")
    head, body = (first + "\n", rest) if first.startswith("%%") else ("", cell)
    try:
        tree = ast.parse(body)
    except SyntaxError:  # it has line magics
        return []
    found = list(_mutations(tree, head))
    step = max(1.0, len(found) / most) if most else 0.0
    return [found[int(at * step)] for at in range(min(most, len(found)))]


def _mutations(tree: ast.Module, head: str) -> Iterator[Mutation]:
    nodes = list(ast.walk(tree))
    for at, node in enumerate(nodes):
        for changed in _changed(node):
            copied = copy.deepcopy(tree)
            twin = list(ast.walk(copied))[at]
            twin.__dict__.clear()
            twin.__class__ = changed.__class__
            twin.__dict__.update(changed.__dict__)
            ast.fix_missing_locations(copied)
            line = getattr(node, "lineno", 0) + head.count("\n")
            change = f"line {line}: {_quoted(node)} became {_quoted(changed)}"
            yield Mutation(change, head + ast.unparse(copied))


def _changed(node: ast.AST) -> Iterator[ast.AST]:
    """The possible replacements of a node, which itself stays unchanged."""
    new = copy.deepcopy(node)
    match new:
        case ast.BinOp() | ast.BoolOp() | ast.AugAssign() if type(new.op) in _OPERATORS:
            new.op = _OPERATORS[type(new.op)]()  # type: ignore[assignment]
            yield new
        case ast.Compare() if type(new.ops[0]) in _OPERATORS:
            new.ops[0] = _OPERATORS[type(new.ops[0])]()  # type: ignore[call-overload]
            yield new
        case ast.UnaryOp(op=ast.Not()):
            yield new.operand
        case ast.Constant(value=bool()):
            new.value = not new.value
            yield new
        case ast.Constant(value=int() | float() as number):
            new.value = number + 1
            yield new
        case ast.Call(keywords=[_, *_]):
            for at in range(len(new.keywords)):
                fewer = copy.deepcopy(new)
                del fewer.keywords[at]
                yield fewer
        case ast.Slice(step=ast.expr()):
            new.step = None
            yield new
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            new.value = None
            yield new


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _quoted(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]} …"
