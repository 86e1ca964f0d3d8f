"""Run something just before or just after a module is executed, whenever that happens.

What the bridge adds has to be there when a program first imports TensorFlow or the Estimator, and
must cost nothing if it never does. A finder in front of ``sys.meta_path`` waits for the names it
was given and hands every import on to the ordinary finders.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from types import ModuleType

Before = Callable[[], None]
After = Callable[[ModuleType], None]


class _Finder(importlib.abc.MetaPathFinder):
    """Finds nothing itself: wraps the loader that another finder returns."""

    def __init__(self) -> None:
        self.before: dict[str, list[Before]] = {}
        self.after: dict[str, list[After]] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name not in self.before and name not in self.after:
            return None
        spec = _spec_from_others(self, name, path, target)
        if spec is not None and spec.loader is not None:
            self._wrap(name, spec.loader)
        return spec

    def _wrap(self, name: str, loader: importlib.abc.Loader) -> None:
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            for call in self.before.get(name, ()):
                call()
            execute(module)
            self.before.pop(name, None)
            for call_with in self.after.pop(name, ()):
                # A module may have put another object in its place, as tensorflow.compat.v1 does.
                call_with(sys.modules.get(name, module))

        # On the instance, which exists for this one import: the module keeps its ordinary loader.
        loader.exec_module = exec_module  # type: ignore[method-assign]


def _spec_from_others(
    finder: _Finder, name: str, path: Sequence[str] | None, target: ModuleType | None
) -> importlib.machinery.ModuleSpec | None:
    for other in sys.meta_path:
        if other is finder or not hasattr(other, "find_spec"):
            continue
        spec = other.find_spec(name, path, target)
        if spec is not None:
            return spec
    return None


_finder = _Finder()


def _install() -> None:
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)


def before_import(name: str, call: Before) -> None:
    """Call ``call()`` just before module ``name`` is executed.

    Nothing happens if the module is loaded already. What ``call`` raises comes out of the
    ``import`` statement, and is raised again by the next one.
    """
    if name not in sys.modules:
        _install()
        _finder.before.setdefault(name, []).append(call)


def after_import(name: str, call: After) -> None:
    """Call ``call(module)`` once module ``name`` has been executed: at once if it has been."""
    module = sys.modules.get(name)
    if module is not None:
        call(module)
    else:
        _install()
        _finder.after.setdefault(name, []).append(call)
