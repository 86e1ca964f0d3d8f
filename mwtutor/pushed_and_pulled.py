"""Values sent between a notebook and its workers: pickles, with separate array buffers.

Large buffers (above all NumPy arrays) are sent separately instead of being copied into the pickle.
Nothing that arrives needs TensorFlow: tensors and variables become arrays, a Keras history becomes
a :class:`History`, and a model becomes its weights.
"""

from __future__ import annotations

import io
import pickle
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class History:
    """The history that ``model.fit`` returned, without the model.

    Attributes:
        history: the values of every metric, one per epoch.
        epoch: the epochs, counted from 0.
        params: the arguments of ``fit``.
    """

    history: dict[str, list[float]]
    epoch: list[int]
    params: dict[str, Any]


class CannotTravel(Exception):
    """A value that cannot be used in another process."""


#: Packages that the notebook's kernel does not import, to save memory.
_HEAVY = ("tensorflow", "keras", "tf_keras")


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        plain = _without_tensorflow(value)
        if plain is not value:
            return _same, (plain,)
        if isinstance(value, type) and value.__module__.split(".")[0] in _HEAVY:
            raise CannotTravel(f"the class {value.__module__}.{value.__qualname__} cannot be sent")
        return NotImplemented


def dump(value: Any) -> list[Any]:
    """The pickle, and its separate buffers.

    Raises:
        CannotTravel: names the value that cannot be sent, as a clause.
    """
    buffers: list[pickle.PickleBuffer] = []
    out = io.BytesIO()
    try:
        _Pickler(out, 5, buffer_callback=buffers.append).dump(value)
    except CannotTravel:
        raise
    except Exception as error:
        raise CannotTravel(f"{type(error).__name__}: {error}") from None
    return [out.getvalue(), *(buffer.raw() for buffer in buffers)]


def load(parts: Sequence[Any]) -> Any:
    """Reverse :func:`dump`. Arrays own their memory and are writable."""
    head, *buffers = parts
    return pickle.loads(head, buffers=[bytearray(buffer) for buffer in buffers])


def _same(value: Any) -> Any:
    return value


def _without_tensorflow(value: Any) -> Any:
    if type(value).__module__.split(".")[0] not in _HEAVY:
        return value
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is not None and isinstance(value, (tensorflow.Tensor, tensorflow.Variable)):
        return value.numpy()
    if type(value).__name__ == "History" and isinstance(getattr(value, "history", None), dict):
        return History(dict(value.history), list(value.epoch), dict(value.params))
    if callable(weights := getattr(value, "get_weights", None)):
        return weights()
    if callable(array := getattr(value, "numpy", None)):
        return array()
    if type(value).__name__ == "PerReplica":
        return value.values
    if callable(getattr(value, "fetch", None)):
        raise CannotTravel("it is the result of a scheduled function; fetch it in a cell first")
    for plain in (list, tuple, dict):  # TensorFlow tracks a model's containers in wrappers
        if isinstance(value, plain):
            return plain(value)
    raise CannotTravel(
        f"a {type(value).__module__.split('.')[0]} {type(value).__name__} cannot leave its process"
    )
