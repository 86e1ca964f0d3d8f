"""Whether a thread is waiting in a collective, as far as can be seen from outside.

Python's innermost frame shows which operation or function TensorFlow is executing. A function's
definition shows whether it, or a function it calls, contains a collective. A function without a
collective cannot wait for other workers, however slow its data is. An operation returns when its
collective is over, on GPUs too; so a thread that waits for a value waits only for its own device.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from types import FrameType
from typing import Any

_PREFIX = "Collective"


def waits(frame: FrameType) -> bool:
    """The same as :func:`in_collective`, but safe whatever the program is doing."""
    try:
        return in_collective(frame)
    except Exception:  # the program may be importing TensorFlow right now
        return False


def in_collective(frame: FrameType) -> bool:
    """Whether this innermost frame of a thread can wait in a collective."""
    place = frame.f_code.co_filename.replace(os.sep, "/")
    if place.endswith("/eager/execute.py"):
        name = frame.f_locals.get("op_name", "")
        return _has_collective(name.decode() if isinstance(name, bytes) else str(name))
    if frame.f_code.co_name == "get_config_key_value":  # see worker/patches/another_strategy.py
        return place.endswith("/eager/context.py")
    return place.endswith("/python/ops/gen_collective_ops.py")


def in_coordinator(frame: FrameType | None) -> bool:
    """Whether a thread with this innermost frame is in a call to a ``ClusterCoordinator``.

    That includes calls on a value that a coordinator computes, such as ``fetch()``.
    """
    while frame is not None:
        if "/distribute/coordinator/" in frame.f_code.co_filename.replace(os.sep, "/"):
            return True
        frame = frame.f_back
    return False


@functools.cache  # names are never reused, and definitions can be large
def _has_collective(name: str) -> bool:
    """Whether this is a collective operation, or a function that leads to one."""
    seen: set[str] = set()
    names = [name]
    while names:
        if (name := names.pop()).startswith(_PREFIX):
            return True
        if name not in seen:
            seen.add(name)
            names.extend(_parts(name))
    return False


def _parts(name: str) -> Iterator[str]:
    """The operations of a function and the functions that they call; nothing for an operation."""
    from tensorflow.python.eager import context

    if not context.context().has_function(name):
        return
    for node in context.context().get_function_def(name).node_def:
        yield node.op
        for value in node.attr.values():
            yield from _functions(value)


def _functions(value: Any) -> Iterator[str]:
    if value.HasField("func"):
        yield value.func.name
    for function in value.list.func:
        yield function.name
