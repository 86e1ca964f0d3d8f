"""The functions that build a collective operation, wrapped by all their observers.

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

#: A function that builds an operation, or executes it.
Build = Callable[..., Any]

#: Returns the wrapper of a function; gets its name, and the function.
Wrap = Callable[[str, Build], Build]


def wrap(names: Sequence[str], by: Wrap) -> None:
    """Wrap these functions, outside the wrappers that exist already."""
    when_imported("tensorflow.python.ops.collective_ops", functools.partial(_wrap, names, by))


def _wrap(names: Sequence[str], by: Wrap, module: ModuleType) -> None:
    for name in names:
        if (build := getattr(module, name, None)) is not None:
            setattr(module, name, functools.wraps(build)(by(name, build)))


def parameters(build: Build) -> tuple[str, ...]:
    """The names of a function's parameters, in order."""
    return tuple(inspect.signature(build).parameters)
