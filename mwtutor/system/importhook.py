"""Act on a module when it is imported, without importing it ourselves.

A worker prepares TensorFlow for the user's program before that program runs, but must not import
TensorFlow for a program that does not use it, nor before the program has set its own variables.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

from mwtutor.exceptions import NotSupported

Action = Callable[[ModuleType], object]


def when_imported(module_name: str, action: Action) -> None:
    """Call ``action(module)`` each time ``module_name`` has been executed; now, if it already was.

    Actions of one module run in the order they were given, before the importing statement gets
    the module. An action that raises ``NotSupported`` refuses the import; any other error is
    reported as a ``RuntimeWarning`` and does not break it: what we add to a program must not
    keep it from running. ``importlib.reload`` makes a module new, so the action runs again.

    Args:
        module_name: the full dotted name, as in ``sys.modules``.
        action: what to do with the module.
    """
    _actions.setdefault(module_name, []).append(action)
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    if sys.modules.get(module_name) is not None:
        # Not taken from sys.modules: another thread may be half way through this import, and
        # import_module waits for it.
        _run(action, importlib.import_module(module_name))


def _run(action: Action, module: ModuleType) -> None:
    try:
        action(module)
    except NotSupported:
        raise  # a refusal is meant for the program
    except Exception as error:
        warnings.warn(
            f"mwtutor could not prepare {module.__name__}: {error!r}. The program runs without it.",
            RuntimeWarning,
            stacklevel=2,
        )


class _Loader(Loader):
    """The module's own loader, followed by the actions."""

    def __init__(self, own: Loader) -> None:
        self._own = own

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._own.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        # The module and its readers (inspect, importlib.resources) must find its own loader.
        module.__loader__ = self._own
        if module.__spec__ is not None:
            module.__spec__.loader = self._own
        self._own.exec_module(module)
        for action in list(_actions[module.__name__]):
            _run(action, module)


class _Finder(MetaPathFinder):
    """Ask the other finders, and wrap the loader of a module that has actions."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in _actions:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else _ask(finder, fullname, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _Loader(spec.loader)
                return spec
        return None


def _ask(
    finder: object, fullname: str, path: Sequence[str] | None, target: ModuleType | None
) -> ModuleSpec | None:
    # Old finders without find_spec are still tolerated on sys.meta_path by Python itself.
    find_spec = getattr(finder, "find_spec", None)
    spec: ModuleSpec | None = find_spec(fullname, path, target) if find_spec else None
    return spec


_actions: dict[str, list[Action]] = {}
_finder = _Finder()
