"""Act on a module at the moment it has been imported."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from types import ModuleType

Action = Callable[[ModuleType], None]

_waiting: dict[str, list[Action]] = {}


def when_imported(name: str, action: Action) -> None:
    """Call ``action`` with the module: now if it has been imported, else right after it is."""
    module = sys.modules.get(name)
    if module is not None and not getattr(module.__spec__, "_initializing", False):
        action(module)
        return
    _waiting.setdefault(name, []).append(action)
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds nothing itself: lets the others find, and wraps the loader of an awaited module."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name not in _waiting:
            return None
        for finder in sys.meta_path:
            if finder is not self and (spec := finder.find_spec(name, path, target)) is not None:
                if spec.loader is not None:
                    _act_after(spec.loader)
                return spec
        return None


def _act_after(loader: importlib.abc.Loader) -> None:
    execute = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        execute(module)
        for action in _waiting.pop(module.__name__, []):
            action(module)

    # A loader belongs to one module, so this wraps the loading of no other.
    loader.exec_module = exec_module  # type: ignore[method-assign]


_FINDER = _Finder()
