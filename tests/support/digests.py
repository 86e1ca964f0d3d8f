"""Digests of source code: as long as a digest is the same, the code that it covers is the same."""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.metadata
import sys
from collections.abc import Iterable


@functools.cache
def digest(sources: Iterable[str]) -> str:
    """A digest of the sources' code, without comments, docstrings and the tables' notes."""
    return hashlib.sha256("\n".join(map(_code, sources)).encode()).hexdigest()[:16]


@functools.cache
def _code(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        documented = isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        if documented and ast.get_docstring(node):
            node.body[0] = ast.Pass()
        if isinstance(node, ast.Call):
            node.keywords = [one for one in node.keywords if one.arg != "note"]
    return ast.unparse(tree)


def versions(packages: Iterable[str]) -> str:
    """The versions of Python and of these packages, as far as they are installed."""
    found = [f"Python {sys.version_info[0]}.{sys.version_info[1]}"]
    for package in packages:
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(found)
