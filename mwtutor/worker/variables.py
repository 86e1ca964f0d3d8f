"""The variables that a process stores or has handles to, and where each is stored."""

from __future__ import annotations

import gc
import math
import sys
from collections.abc import Iterator, Mapping
from typing import Any


def live_variables(names: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every live variable, whatever refers to it, as JSON.

    Args:
        names: the user's names and their objects; a variable with such a name is listed under it.

    Returns:
        The ``name``, ``shape`` and ``dtype`` of each, whether its pieces are ``parts`` rather than
        copies, and its ``pieces``: the task and the device that store each piece, its shape and its
        size in bytes.
    """
    gc.collect()  # objects that nothing refers to
    everything = _Variables()
    named = {id(value): name for name, value in names.items() if not name.startswith("_")}
    return [
        _described(variable, named.get(id(variable)) or everything.path(variable))
        for variable in everything.outermost()
    ]


class _Variables:
    """The variables among all objects: wrappers as well as the variables that they wrap."""

    def __init__(self) -> None:
        from tensorflow.python.distribute import (
            cross_device_utils,
            ps_values,
            sharded_variable,
            values,
        )
        from tensorflow.python.framework import ops
        from tensorflow.python.ops import resource_variable_ops

        plain = resource_variable_ops.BaseResourceVariable
        kinds = (sharded_variable.ShardedVariableMixin, values.DistributedVariable, plain)
        passing = (
            resource_variable_ops._UnreadVariable,
            resource_variable_ops.UninitializedVariable,  # for saving variables in parts
            ps_values.PerWorkerVariable,
        )
        # Not isinstance, which would ask proxies for their class and so trigger them.
        wanted: dict[type, bool] = {}
        self._all = []
        internal: set[int] = set()  # variables with which a strategy orders exchanges
        for thing in gc.get_objects():
            kind = type(thing)
            if kind is cross_device_utils.CollectiveReplicaLauncher:
                internal.add(id(getattr(thing, "_ordering_token", None)))
            if kind not in wanted:
                wanted[kind] = issubclass(kind, kinds) and not issubclass(kind, passing)
            if wanted[kind] and not (issubclass(kind, plain) and not _is_real(thing, ops)):
                self._all.append(thing)
        self._all = [one for one in self._all if id(one) not in internal]
        self._paths = dict(_keras_3_paths())

    def path(self, variable: Any) -> str:
        """A variable's name in Keras, or else in TensorFlow."""
        parts = getattr(variable, "_variables", None)  # a ShardedVariable has no name
        name = str((parts[0] if parts else variable).name).partition(":")[0]
        return self._paths.get(id(variable)) or name.removesuffix("/part_0")

    def outermost(self) -> Iterator[Any]:
        """The variables that are not part of other variables, sorted by name."""
        inner: set[int] = set()
        for variable in self._all:
            inner.update(map(id, _inside(variable)))
        own = {id(variable): variable for variable in self._all if id(variable) not in inner}
        yield from sorted(own.values(), key=self.path)


def _is_real(variable: Any, ops: Any) -> bool:
    """Whether a variable is stored in memory, unlike one in a function that is being traced."""
    try:
        return isinstance(variable.handle, ops.EagerTensor) or hasattr(variable, "_v")
    except Exception:  # incomplete, or of a strategy that needs a context
        return False


def _inside(variable: Any) -> list[Any]:
    """The variables inside a variable, at every level."""
    wrapped = getattr(variable, "_v", None)
    if wrapped is not None:
        return [wrapped, *_inside(wrapped)]
    parts = getattr(variable, "_variables", None) or getattr(variable, "_values", None) or ()
    return [inner for part in parts for inner in (part, *_inside(part))]


def _keras_3_paths() -> Iterator[tuple[int, str]]:
    keras = sys.modules.get("keras")
    variable = getattr(keras, "Variable", None)
    if not isinstance(variable, type):
        return
    for thing in gc.get_objects():
        if issubclass(type(thing), variable) and getattr(thing, "_value", None) is not None:
            yield id(thing._value), str(thing.path)


def _described(variable: Any, name: str) -> dict[str, Any]:
    parts = getattr(variable, "_variables", None)  # those of a ShardedVariable
    copies = getattr(variable, "_values", None)  # those of a mirrored variable
    return {
        "name": name,
        "shape": variable.shape.as_list(),
        "dtype": variable.dtype.name,
        "parts": bool(parts),
        "pieces": [_piece(piece) for piece in parts or copies or [variable]],
    }


def _piece(variable: Any) -> dict[str, Any]:
    from tensorflow.python.framework import device

    place = device.DeviceSpec.from_string(variable.device or "")
    shape = variable.shape.as_list()
    kind = variable.dtype.base_dtype
    known = kind.is_numpy_compatible and kind.name != "string" and None not in shape
    return {
        "task": f"{place.job}:{place.task}" if place.job and place.job != "localhost" else "",
        "device": f"{place.device_type}:{place.device_index}" if place.device_type else "",
        "shape": shape,
        "bytes": math.prod(shape) * kind.size if known else None,
    }
