"""Modules next to a program that have the name of a module already imported here.

Under ``python main.py``, ``import six`` finds a ``six.py`` next to the script, for libraries too. A
process that imported modules before its program starts has to reproduce this.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from importlib import machinery
from types import ModuleType

#: Top-level modules that Python itself had imported when this process started; see ``_entry``.
at_start = frozenset(sys.modules)

_LOADERS = (
    (machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES),
    (machinery.SourceFileLoader, machinery.SOURCE_SUFFIXES),
    (machinery.SourcelessFileLoader, machinery.BYTECODE_SUFFIXES),
)


def shadowed_modules(directory: str) -> dict[str, str]:
    """The imported modules that a program would import from ``directory`` instead.

    mwtutor, modules that Python imports before any program, and modules that it never looks for in
    a directory are excluded: even without mwtutor, a program does not get its own versions of
    these.

    Returns:
        The file that the program would import, by the module's name.
    """
    # A separate finder, so that the program's imports do not use its cache.
    finder = machinery.FileFinder(directory, *_LOADERS)
    imported = {name.partition(".")[0] for name in list(sys.modules)}
    files = {}
    for name in sorted(imported - at_start - {"__main__", "mwtutor"}):
        if machinery.BuiltinImporter.find_spec(name) or machinery.FrozenImporter.find_spec(name):
            continue
        spec = finder.find_spec(name)
        # Without a loader, the entry is a directory; a module elsewhere on the path takes
        # precedence.
        if spec is None or spec.loader is None or spec.origin is None:
            continue
        if not _same(spec.origin, getattr(sys.modules.get(name), "__file__", None)):
            files[name] = spec.origin
    return files


def why_not_forked(directory: str) -> str:
    """Why a program in ``directory`` needs a new process; empty if it does not."""
    files = [os.path.relpath(file, directory) for file in shadowed_modules(directory).values()]
    if not files:
        return ""
    others = "another module" if len(files) == 1 else "other modules"
    return (
        f"the fork server has already imported {others} with the same name as the program's own"
        f" {', '.join(files)}"
    )


def forget(directory: str) -> None:
    """Let the program import its own modules instead of the imported ones of the same names."""
    remove(shadowed_modules(directory))


def remove(names: Collection[str]) -> None:
    """Remove top-level modules and their submodules from ``sys.modules``."""
    for module in list(sys.modules):
        if module.partition(".")[0] in names:
            del sys.modules[module]


def shadow_behind(error: BaseException) -> tuple[str, str] | None:
    """The module that one of the program's files shadowed, according to an error.

    An import or attribute lookup may fail because the file next to the program is not the module
    that the importer expects.

    Returns:
        The module's name and the file; None unless it is certain that this happened.
    """
    module = getattr(error, "obj", None)
    if isinstance(error, AttributeError) and isinstance(module, ModuleType):
        name, file = module.__name__, getattr(module, "__file__", None)
    elif isinstance(error, ImportError) and error.name:
        name = error.name.partition(".")[0]
        file = error.path or getattr(sys.modules.get(name), "__file__", None)
    else:
        return None
    own = sys.path[0] if sys.path else ""
    if not file or "." in name or not _same(os.path.dirname(file), own or os.getcwd()):
        return None
    elsewhere = [path for path in sys.path if not _same(path or os.getcwd(), own or os.getcwd())]
    meant = name in sys.stdlib_module_names or machinery.PathFinder.find_spec(name, elsewhere)
    return (name, file) if meant else None


def _same(file: str, other: str | None) -> bool:
    try:
        return other is not None and os.path.samefile(file, other)
    except OSError:
        return False
