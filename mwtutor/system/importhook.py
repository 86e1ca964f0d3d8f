"""Act on a module when it is imported, without importing it.

A worker prepares TensorFlow before the user's program runs, but must not import TensorFlow for a
program that does not use it, or before the program has set its own variables.
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
    """Call ``action(module)`` each time ``module_name`` is executed, and now if it already was.

    A module's actions run in the order in which they were registered, before the import statement
    gets the module. An action that raises ``NotSupported`` refuses the import. Any other error is
    reported as a ``RuntimeWarning``, because mwtutor's additions must not keep a program from
    running. ``importlib.reload`` executes the module again, so the action runs again.

    Args:
        module_name: the full dotted name, as in ``sys.modules``.
        action: the function to call with the module.
    """
    _actions.setdefault(module_name, []).append(action)
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    if sys.modules.get(module_name) is not None:
        # Not from sys.modules: another thread may still be importing the module; import_module
        # waits.
        _run(action, importlib.import_module(module_name))


def _run(action: Action, module: ModuleType) -> None:
    try:
        action(module)
    except NotSupported:
        raise  # the program should see the refusal
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
    """Ask the other finders, and wrap the loader of each module that has actions."""

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
    # Python still tolerates old finders without find_spec on sys.meta_path.
    find_spec = getattr(finder, "find_spec", None)
    spec: ModuleSpec | None = find_spec(fullname, path, target) if find_spec else None
    return spec


_actions: dict[str, list[Action]] = {}
_finder = _Finder()
