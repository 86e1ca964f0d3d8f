"""Names of ``tf.keras`` that exist only in Keras 2, found in a program's source."""

from __future__ import annotations

import ast
from collections.abc import Iterator

#: No version of Keras 3 has these names; every version of Keras 2 does.
_GONE = (
    "tensorflow.keras.experimental",
    "tensorflow.keras.layers.experimental",
    "tensorflow.keras.optimizers.legacy",
    "tensorflow.keras.utils.SidecarEvaluator",
    "tensorflow.keras.utils.experimental",
)


def first_certain(tree: ast.Module) -> str:
    """The first such name that the program is certain to use; empty if there is none.

    A name below ``try`` or ``if`` is not certain: it may be meant for a different Keras. A program
    that imports ``keras`` itself, or makes the choice itself, is left alone.
    """
    if _decides_itself(tree):
        return ""
    known: dict[str, str] = {}
    for node in _unconditional(tree):
        for name in _named(node, known):
            for gone in _GONE:
                if name == gone or name.startswith(f"{gone}."):
                    return "tf." + gone.removeprefix("tensorflow.")
    return ""


def _decides_itself(tree: ast.Module) -> bool:
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module or ""]
        if any(name.partition(".")[0] in ("keras", "tf_keras") for name in names):
            return True
        if isinstance(node, ast.Constant) and node.value == "TF_USE_LEGACY_KERAS":
            return True
    return False


def _unconditional(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes below, in source order, except nodes below a condition."""
    yield node
    if isinstance(node, ast.Try | ast.IfExp) or (isinstance(node, ast.If) and not _is_main(node)):
        return
    for child in ast.iter_child_nodes(node):
        yield from _unconditional(child)


def _is_main(node: ast.If) -> bool:
    return any(isinstance(part, ast.Name) and part.id == "__name__" for part in ast.walk(node.test))


def _named(node: ast.AST, known: dict[str, str]) -> Iterator[str]:
    """The dotted names of TensorFlow in one node; imported names are added to ``known``."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name.partition(".")[0] == "tensorflow":
                known[alias.asname or "tensorflow"] = alias.name if alias.asname else "tensorflow"
                yield alias.name
    elif isinstance(node, ast.ImportFrom) and node.level == 0:
        if (node.module or "").partition(".")[0] == "tensorflow":
            for alias in node.names:
                known[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                yield f"{node.module}.{alias.name}"
    elif isinstance(node, ast.Attribute):
        parts = [node.attr]
        below = node.value
        while isinstance(below, ast.Attribute):
            parts.append(below.attr)
            below = below.value
        if isinstance(below, ast.Name) and below.id in known:
            yield ".".join([known[below.id], *reversed(parts)])
