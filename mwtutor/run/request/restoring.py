"""Whether a script names anything that continues from a checkpoint."""

from __future__ import annotations

import ast

#: Parts, in lowercase, of names such as ``BackupAndRestore``, ``CheckpointManager``, ``Estimator``.
_PARTS = ("restore", "checkpoint", "load_weights", "load_model", "estimator", "model_dir", "resume")


def may_restore(tree: ast.Module) -> bool:
    """Whether the script names something that may restore checkpoints; imports are not followed."""
    return any(part in name.lower() for name in _names(tree) for part in _PARTS)


def _names(tree: ast.Module) -> list[str]:
    names = []
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                names.append(name)
            case ast.alias(name=name, asname=other):
                names += [name, other or ""]
    return names
