"""One wrapper around each function that builds a collective operation, for all its observers.

All of TensorFlow's strategies build their collectives with the functions of ``collective_ops``.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from mwtutor.system.importhook import when_imported

#: The functions that combine values of all tasks.
COMBINING = ("all_reduce", "all_reduce_v2", "all_gather", "all_gather_v2")

#: A wrapper: called with a function's name, its arguments by name, and what calls it as the program
#: does.
Around = Callable[[str, dict[str, Any], Callable[[], Any]], Any]

#: The wrappers of each function, from the innermost to the outermost.
_around: dict[str, list[Around]] = {}


def around(names: Sequence[str], call: Around) -> None:
    """Wrap ``call`` around these functions, outside the wrappers that exist already."""
    if not _around:
        when_imported("tensorflow.python.ops.collective_ops", _wrap)
    for name in names:
        _around.setdefault(name, []).append(call)


def _wrap(module: ModuleType) -> None:
    for name, build in inspect.getmembers(module, inspect.isfunction):
        if build.__module__ == module.__name__:
            setattr(module, name, _wrapped(name, build))


def _wrapped(name: str, build: Callable[..., Any]) -> Callable[..., Any]:
    names = tuple(inspect.signature(build).parameters)

    @functools.wraps(build)
    def built(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        given = {**dict(zip(names, args, strict=False)), **kwargs}
        go: Callable[[], Any] = functools.partial(build, *args, **kwargs)
        for call in _around.get(name, ()):
            go = functools.partial(call, name, given, go)
        return go()

    return built
