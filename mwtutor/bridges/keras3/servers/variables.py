"""Variables on parameter servers: updated without lost counts, and split by a partitioner."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import tensorflow as tf
from keras import StatelessScope
from keras.src import backend
from keras.src.backend.common.stateless_scope import get_stateless_scope
from keras.src.random.seed_generator import SeedGenerator
from tensorflow.python.distribute.sharded_variable import ShardedVariable

from mwtutor.bridges.keras3.patching import Function
from mwtutor.bridges.keras3.servers.replacement import replacement
from mwtutor.bridges.keras3.strategies import in_served_step, parameter_server
from mwtutor.exceptions import NotSupported


class OwnMetrics(StatelessScope):  # type: ignore[misc]
    """Within the block, this thread has its own values of these variables."""

    def __init__(self, variables: list[Any], values: list[Any]) -> None:
        super().__init__(collect_losses=True)
        self._variables = variables
        self._own = {id(v): value for v, value in zip(variables, values, strict=True)}

    def has(self, variable: Any) -> bool:
        return id(variable) in self._own

    def get_current_value(self, variable: Any) -> Any:
        return self._own[id(variable)] if self.has(variable) else plain(variable)

    def add_update(self, update: tuple[Any, Any]) -> None:
        variable, value = update
        if self.has(variable):
            self._own[id(variable)] = value
        else:
            variable._direct_assign(value)

    def values(self) -> list[Any]:
        return [self._own[id(variable)] for variable in self._variables]


class SplitVariable(backend.Variable):  # type: ignore[misc]
    """A variable that a partitioner has split into parts, possibly on different servers.

    Reading it returns one tensor. Its parts are also Keras variables: gradients and optimizers use
    them, and they replace the variable in ``weights`` and ``variables``.
    """

    @property
    def value(self) -> Any:
        scope = get_stateless_scope()
        own = isinstance(scope, OwnMetrics) and scope.has(self)
        return self._maybe_autocast(scope.get_current_value(self) if own else plain(self))

    @property
    def _shared_name(self) -> str:
        return str(self._value.name)

    def _serialize_to_tensors(self) -> dict[str, Any]:
        return {"VARIABLE_VALUE": plain(self)}

    def _restore_from_tensors(self, restored: dict[str, Any]) -> Any:
        self._value.assign(restored["VARIABLE_VALUE"])
        return self.value


def plain(variable: Any) -> Any:
    """The TensorFlow variable underneath; one tensor if it is in parts."""
    value = variable._value
    return tf.convert_to_tensor(value) if isinstance(value, ShardedVariable) else value


def _initialize(original: Function) -> Function:
    def _initialize(self: Any, value: Any) -> None:
        original(self, value)
        layer = self.__dict__.pop(_LATE, None)
        if isinstance(self._value, ShardedVariable):
            self.__class__ = SplitVariable
            # A variable with a constraint stays whole: `_var_key` rejects it.
            if layer is not None and self.constraint is None:
                _cut(layer, self)

    return _initialize


def _parts(variable: SplitVariable) -> list[Any]:
    parts = []
    for number, part in enumerate(variable._value.variables):
        made = backend.Variable(
            part,
            trainable=variable.trainable,
            autocast=variable._autocast,
            aggregation=variable.aggregation,
            name=f"{variable.name}_part_{number}",
        )
        made._path = f"{variable.path}_part_{number}"
        made.regularizer = variable.regularizer
        parts.append(made)
    return parts


def _track_variable(original: Function) -> Function:
    def _track_variable(self: Any, variable: Any) -> None:
        original(self, variable)
        if isinstance(variable, SplitVariable):
            if variable.constraint is not None:
                raise whole(variable)
            _cut(self, variable)
        elif variable._value is None:  # the first batch is still building the model
            variable.__dict__[_LATE] = self

    return _track_variable


def _cut(layer: Any, variable: SplitVariable) -> None:
    """Replace the variable with its parts in a layer, which may have been locked since."""
    for kind in ("trainable_variables", "non_trainable_variables"):
        tracked = getattr(layer, f"_{kind}")
        place = next((i for i, v in enumerate(tracked) if v is variable), None)
        if place is None:
            continue
        parts = _parts(variable)
        # The variable stays known to the tracker, so assigning an attribute does not add it again.
        list.__setitem__(tracked, slice(place, place + 1), parts)
        layer._tracker.stored_ids[kind].update(map(id, parts))
        layer.__dict__.setdefault("_mwtutor_split", []).append((tracked, variable, parts))


def whole(variable: Any, kind: str = "weight") -> NotSupported:
    """Why a split variable that is trained cannot be used where Keras treats it as a whole."""
    if variable.constraint is not None:
        return NotSupported(
            f"The {kind} '{variable.path}' has a constraint, but the strategy's partitioner splits"
            " it, and each part would be constrained separately.",
            "Leave out the constraint, or give the partitioner a larger minimum.",
        )
    return NotSupported(
        f"The {kind} '{variable.path}' was split by the strategy's partitioner, but was not created"
        " with `add_weight`, so Keras treats it as a whole.",
        "Create it with `self.add_weight` in the layer, or give the partitioner a larger minimum.",
    )


def has_parts(model: Any) -> bool:
    """Whether a variable of the model has been split."""
    return any(getattr(layer, "_mwtutor_split", ()) for layer in model._flatten_layers())


@contextmanager
def _wholes(layer: Any) -> Iterator[None]:
    """Within the block, the layer has whole variables, so files do not depend on the cluster."""
    replaced = []
    for tracked, variable, parts in getattr(layer, "_mwtutor_split", ()):
        replaced.append((tracked, list(tracked)))
        first = next(i for i, v in enumerate(tracked) if v is parts[0])
        list.__setitem__(tracked, slice(first, first + len(parts)), [variable])
    try:
        yield
    finally:
        for tracked, before in reversed(replaced):
            list.__setitem__(tracked, slice(None), before)


def _state(original: Function) -> Function:
    def state(trackable: Any, *args: Any, **kwargs: Any) -> Any:
        with _wholes(trackable):
            return original(trackable, *args, **kwargs)

    return state


def _take(original: Function) -> Function:
    def take(x: Any, indices: Any, axis: int | None = None) -> Any:
        in_parts = isinstance(x, SplitVariable) and axis == 0
        if in_parts and not isinstance(indices, (tf.SparseTensor, tf.RaggedTensor)):
            indices = tf.convert_to_tensor(indices)
            indices = tf.where(indices < 0, indices + tf.cast(x.shape[0], indices.dtype), indices)
            return x._maybe_autocast(tf.nn.embedding_lookup(x._value, indices))
        return original(x, indices, axis=axis)

    return take


def _path(variable: Any) -> str:
    if isinstance(variable, ShardedVariable):
        variable = variable.variables[0]
    return str(getattr(variable, "path", variable.name)).partition(":")[0].removesuffix("/part_0")


def _slot(original: Function) -> Function:
    def add_variable_from_reference(self: Any, reference: Any, *args: Any, **kwargs: Any) -> Any:
        strategy = self._distribution_strategy
        if not parameter_server(strategy):
            return original(self, reference, *args, **kwargs)
        if isinstance(reference, (SplitVariable, ShardedVariable)):
            raise NotSupported(
                f"The optimizer was given '{_path(reference)}' as a whole, but the strategy's"
                " partitioner has split it; the chief would keep the optimizer's state.",
                "Give it the parts: `trainable_variables` of the model or layer, `variables` of a "
                "tf.Variable.",
            )
        if tf.distribute.has_strategy():
            return original(self, reference, *args, **kwargs)
        with strategy.scope():
            return original(self, reference, *args, **kwargs)

    return add_variable_from_reference


def _var_key(original: Function) -> Function:
    def _var_key(self: Any, variable: Any) -> Any:
        if isinstance(variable, SplitVariable):
            raise whole(variable)
        return original(self, variable)

    return _var_key


def _atomic(name: str) -> Any:
    def wrap(original: Function) -> Function:
        def change(self: Any, value: Any) -> Any:
            scope = get_stateless_scope()
            if not in_served_step() or (isinstance(scope, OwnMetrics) and scope.has(self)):
                return original(self, value)
            getattr(self._value, name)(tf.cast(value, self._value.dtype))
            return plain(self)

        return change

    return wrap


#: The attribute in which a variable without a value keeps the layer that created it.
_LATE = "_mwtutor_layer"

_seeds: list[SeedGenerator] = []


def share_global_seed(strategy: Any) -> None:
    """Create the generator for unseeded random operations on a server, where workers find it."""
    if not _seeds:
        before = random.getstate()
        with strategy.scope():
            _seeds.append(SeedGenerator())
        random.setstate(before)


def _global_seed_generator(original: Function) -> Function:
    def global_seed_generator() -> Any:
        return _seeds[0] if _seeds and in_served_step() else original()

    return global_seed_generator


_LAYER = "keras.src.layers.layer:Layer"
_VARIABLE = "keras.src.backend.common.variables:Variable"
_PARTS = "embedding in parts"

PATCHES = (
    *(
        replacement(
            _VARIABLE,
            name,
            _atomic(name),
            "reads, adds and writes: if two workers count a step at once, one count is lost (1521 "
            "of 2000 steps were counted)",
            "two workers: every step counts",
        )
        for name in ("assign_add", "assign_sub")
    ),
    replacement(
        "keras.src.backend.tensorflow.core:Variable",
        "_initialize",
        _initialize,
        "treats a variable that the partitioner has split as a single one",
        _PARTS,
    ),
    replacement(
        _LAYER,
        "_track_variable",
        _track_variable,
        "neither gradients nor optimizers handle split variables",
        _PARTS,
    ),
    *(
        replacement(
            "keras.src.saving.saving_lib",
            name,
            _state,
            "a file must not depend on how many parts a variable had",
            "`model.save` of parts",
        )
        for name in ("_save_state", "_load_state")
    ),
    replacement(
        "keras.src.backend.tensorflow.numpy",
        "take",
        _take,
        "fetches a whole table from the servers for a few of its rows",
        _PARTS,
    ),
    replacement(
        "keras.src.backend.tensorflow.optimizer:TFOptimizer",
        "add_variable_from_reference",
        _slot,
        "puts the slots of a split variable on the chief; raises outside the scope",
        "slots of an optimizer",
    ),
    replacement(
        "keras.src.backend.tensorflow.optimizer:TFOptimizer",
        "_var_key",
        _var_key,
        "asks the tensor of a split variable for a name, which only variables have",
        "a constraint on a variable in parts",
    ),
    replacement(
        "keras.src.random.seed_generator",
        "global_seed_generator",
        _global_seed_generator,
        "a random operation without a seed creates a variable whenever a step is traced",
        "`keras.random` without a seed",
    ),
)
