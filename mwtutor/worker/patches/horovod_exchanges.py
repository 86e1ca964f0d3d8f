"""Record the exchanges of Horovod, as :mod:`.exchanges` records those of TensorFlow.

All functions of Horovod for TensorFlow call the operations of one library. Horovod pairs the
operations of a graph by their names. An eager operation has the name of its kind, whatever name the
program gives, and is paired by counting. See :mod:`mwtutor.run.observations.missing` for what
follows from that.
"""

from __future__ import annotations

import functools
import zlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

from mwtutor.system.importhook import when_imported
from mwtutor.system.wrapping import before
from mwtutor.worker import horovod, ledger
from mwtutor.worker.patches import exchanges

#: Horovod's operations, and the kind of each. Those whose names begin with ``grouped_`` exchange
#: many tensors together.
_KINDS = {
    "allreduce": "all-reduce",
    "grouped_allreduce": "all-reduce",
    "allgather": "all-gather",
    "grouped_allgather": "all-gather",
    "broadcast": "broadcast",
    "broadcast_inplace": "broadcast",
    "broadcast_inplace_resource": "broadcast",
    "alltoall": "all-to-all",
    "reducescatter": "reduce-scatter",
    "grouped_reducescatter": "reduce-scatter",
}


def install() -> None:
    when_imported("horovod.tensorflow.mpi_ops", _watch)
    for other in ("torch", "mxnet"):
        when_imported(f"horovod.{other}", lambda _: ledger.leave_out("Horovod without TensorFlow"))


def _watch(module: ModuleType) -> None:
    library = module.MPI_LIB
    for name, kind in _KINDS.items():
        if (build := getattr(library, f"horovod_{name}", None)) is not None:
            setattr(library, f"horovod_{name}", _noted(build, kind, module))
    # The other ranks continue without a rank that has called hvd.join().
    before(library, "horovod_join", lambda *_, **__: ledger.leave_out("hvd.join()"))


def _noted(build: Callable[..., Any], kind: str, module: ModuleType) -> Callable[..., Any]:
    @functools.wraps(build)
    def noted(given: Any, *args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        go = functools.partial(build, given, *args, **kwargs)
        if ledger.here() is None:
            return go()
        size = module.size() if module.is_initialized() else 0
        if by := _left_out(size, kwargs.get("process_set_id", 0)):
            ledger.leave_out(by)
            return go()
        tensors = [_tensor(one) for one in (given if isinstance(given, list) else [given])]
        group, name = _pair(build.__name__, kwargs.get("name"))
        keys = {
            "group_key": group,
            "instance_key": zlib.crc32(name.encode()) >> 1,
            "group_size": size,
            "device": "Horovod",  # ranks meet across kinds of devices
        }
        return exchanges.note(kind, keys, tensors, go)

    noted.autograph_info__ = None  # type: ignore[attr-defined]  # AutoGraph need not look into it
    return noted


def _left_out(size: int, process_set: int) -> str:
    """Why the operation that is being built cannot be recorded, in words; empty if it can."""
    import tensorflow as tf

    if process_set or size != horovod.launched():
        return "Horovod with some of the ranks"
    if not tf.compat.v1.executing_eagerly_outside_functions():
        return "Horovod in graph mode"  # only a session at a server lets others read its queues
    return ""


def _pair(operation: str, name: str | None) -> tuple[int, str]:
    """The key by which the operation that is being built is paired with those of other ranks."""
    import tensorflow as tf

    if tf.executing_eagerly():
        return ledger.HOROVOD_AT_ONCE, operation
    graph = tf.compat.v1.get_default_graph()
    return ledger.HOROVOD_IN_GRAPH, graph.unique_name(name or operation, mark_as_used=False)


def _tensor(given: Any) -> Any:
    """An object with the type and shape of the exchanged tensor: for a handle, its variable's."""
    import tensorflow as tf
    from tensorflow.python.ops import handle_data_util

    if not isinstance(given, tf.Tensor):
        return tf.convert_to_tensor(given)
    if given.dtype == tf.resource:
        (data,) = handle_data_util.get_resource_handle_data(given).shape_and_type
        return tf.TensorSpec(tf.TensorShape(data.shape), tf.as_dtype(data.dtype))
    return given
