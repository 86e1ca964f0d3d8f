"""Modules beside a program that have the name of one that is imported here before it starts.

Under ``python main.py`` a ``six.py`` beside the script is what ``import six`` means, for libraries
too. A process that has done more than Python itself before its program starts has to see to that.
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


def found(directory: str) -> dict[str, str]:
    """The modules imported here in whose place a program would import one from ``directory``.

    Left out are those that Python has imported before any program, and those that it never looks
    for in a directory: a program does not get its own of these under Python either. And mwtutor.

    Returns:
        The file that the program would import, by the module's name.
    """
    # A finder of our own: what it has seen must not be remembered when the program imports.
    finder = machinery.FileFinder(directory, *_LOADERS)
    imported = {name.partition(".")[0] for name in list(sys.modules)}
    files = {}
    for name in sorted(imported - at_start - {"__main__", "mwtutor"}):
        if machinery.BuiltinImporter.find_spec(name) or machinery.FrozenImporter.find_spec(name):
            continue
        spec = finder.find_spec(name)
        # Without a loader it is a directory, which a module elsewhere on the path comes before.
        if spec is None or spec.loader is None or spec.origin is None:
            continue
        if not _same(spec.origin, getattr(sys.modules.get(name), "__file__", None)):
            files[name] = spec.origin
    return files


def why_not_forked(directory: str) -> str:
    """Why a program in ``directory`` needs a new process, in words; empty if it does not."""
    files = [os.path.relpath(file, directory) for file in found(directory).values()]
    if not files:
        return ""
    return (
        f"the fork server has already imported {'another module' if len(files) == 1 else 'others'}"
        f" by the name of the program's own {', '.join(files)}"
    )


def forget(directory: str) -> None:
    """Let the program import its own, as if what is imported here had not been."""
    remove(found(directory))


def remove(names: Collection[str]) -> None:
    """Take top-level modules, and what is in them, from those that are imported."""
    for module in list(sys.modules):
        if module.partition(".")[0] in names:
            del sys.modules[module]


def behind(error: BaseException) -> tuple[str, str] | None:
    """The module that an error found a file of the program's own in the place of.

    An import, or what was looked for in an imported module, may fail because the file beside the
    program is not the module that whoever imports it means.

    Returns:
        The module's name and the file; None if that is not what happened, for certain.
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
