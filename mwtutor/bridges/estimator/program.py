"""Whether a program uses the Estimator, determined from its source without executing any of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

_WORD = "estimator"
_PACKAGE = "tensorflow_estimator"


def program_uses_estimator(path: Path, tree: ast.Module | None = None) -> bool:
    """Whether a script, or a module beside it that it imports, uses the Estimator.

    It looks for ``tf.estimator`` and ``tf.compat.v1.estimator`` under whatever name TensorFlow was
    imported, ``from tensorflow import estimator``, ``tf.keras.estimator``, and
    ``tensorflow_estimator``. Modules beside the script are followed as Python would find them; a
    file that cannot be read or parsed counts as not using it.

    Args:
        path: the script.
        tree: its syntax tree, if it has been parsed already.
    """
    return any(map(_uses_estimator, _trees(path, tree)))


def methods_called(path: Path) -> set[str]:
    """The names of all functions and methods that a script, or a module beside it, calls."""
    nodes = (node for tree in _trees(path) for node in ast.walk(tree))
    called = (node.func for node in nodes if isinstance(node, ast.Call))
    return {getattr(function, "attr", getattr(function, "id", "")) for function in called} - {""}


def _trees(path: Path, tree: ast.Module | None = None) -> Iterator[ast.Module]:
    """The script, and the modules beside it that it imports, parsed."""
    script = path.resolve()
    root = script.parent
    waiting, seen = [script], set()
    while waiting:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        tree = tree if file == script and tree else _parse(file)
        if tree is not None:
            yield tree
            waiting.extend(_modules_beside(tree, file, root))


def _parse(file: Path) -> ast.Module | None:
    try:
        return ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None


def _uses_estimator(tree: ast.Module) -> bool:
    names = _names_of_tensorflow(tree)
    return any(
        _imports_it(node) or _reaches_it(node, names) or _asks_by_name(node)
        for node in ast.walk(tree)
    )


def _names_of_tensorflow(tree: ast.Module) -> set[str]:
    """The names of TensorFlow, or of a part of it, in this file.

    ``tf`` always counts as TensorFlow: a file may get it from another module of the program, and by
    convention nothing else has this name.
    """
    names = {"tf"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == "tensorflow":
                    names.add(alias.asname or "tensorflow")
        elif isinstance(node, ast.ImportFrom) and _is_tensorflow(node):
            names.update(alias.asname or alias.name for alias in node.names)
    return names


def _is_tensorflow(node: ast.ImportFrom) -> bool:
    return node.level == 0 and (node.module or "").partition(".")[0] == "tensorflow"


def _imports_it(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        return any(_names_it(alias.name) for alias in node.names)
    if isinstance(node, ast.ImportFrom) and node.level == 0:
        return any(_names_it(f"{node.module}.{alias.name}") for alias in node.names)
    return False


def _names_it(dotted: str) -> bool:
    """Whether a dotted name is the Estimator's package, or a module in it."""
    parts = dotted.split(".")
    return parts[0] == _PACKAGE or (parts[0] == "tensorflow" and _WORD in parts)


def _reaches_it(node: ast.AST, names: set[str]) -> bool:
    """Whether the node is ``<name>.estimator`` or ``<name>.compat.v1.estimator``."""
    if not isinstance(node, ast.Attribute) or node.attr != _WORD:
        return False
    below = node.value
    while isinstance(below, ast.Attribute):
        below = below.value
    return isinstance(below, ast.Name) and below.id in names


def _asks_by_name(node: ast.AST) -> bool:
    """Whether it calls ``getattr(_, "estimator")`` or ``import_module("tensorflow_estimator")``."""
    if not isinstance(node, ast.Call):
        return False
    called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    called = node.func.id if isinstance(node.func, ast.Name) else called
    words = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
    if called == "getattr":
        return _WORD in words
    if called in ("import_module", "__import__"):
        return any(isinstance(word, str) and _names_it(word) for word in words)
    return False


def _modules_beside(tree: ast.Module, file: Path, root: Path) -> Iterator[Path]:
    """The files below ``root`` that the imports of ``file`` load."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _files_of(root, alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            base = root if node.level == 0 else file.parents[node.level - 1]
            parts = node.module.split(".") if node.module else []
            yield from _files_of(base, parts)
            for alias in node.names:
                yield from _files_of(base, [*parts, alias.name])


def _files_of(base: Path, parts: list[str]) -> Iterator[Path]:
    """The files that an import of ``parts`` executes: enclosing packages, and the module itself."""
    for depth in range(1, len(parts) + 1):
        place = base.joinpath(*parts[:depth])
        for candidate in (place / "__init__.py", place.with_suffix(".py")):
            if candidate.is_file():
                yield candidate
                break
