"""Record every collective operation that is executed: see :mod:`mwtutor.worker.ledger`.

An eager operation is recorded before and after it runs. Around one in a graph, two more operations
put the time into a queue: when its input is ready, and when it has ended. XLA has no such
operations, so compiled code stays unchanged and its exchanges are not recorded. The ledger says so,
because it is then impossible to know whose exchange is missing.

The key of an exchange is TensorFlow's own instance key, which Python draws for each call of a
function; the workers' operations with the same key meet. The line that is being executed is
recorded with it.
"""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterator
from inspect import isfunction
from types import CodeType, FrameType, ModuleType
from typing import Any

from mwtutor.system.importhook import when_imported
from mwtutor.system.wrapping import before
from mwtutor.worker import ledger
from mwtutor.worker.ledger import Ledger, Operation, Place
from mwtutor.worker.patches import builders, origins, sessions

#: The functions that build a collective operation, and the kind of each.
_KINDS = {
    "all_reduce": "all-reduce",
    "all_reduce_v2": "all-reduce",
    "all_gather": "all-gather",
    "all_gather_v2": "all-gather",
    "all_to_all_v2": "all-to-all",
    "broadcast_send": "broadcast",
    "broadcast_send_v2": "broadcast",
    "broadcast_recv": "broadcast",
    "broadcast_recv_v2": "broadcast",
}

#: The name of the queue of records in TensorFlow. Its operations need no handle and call no Python:
#: after an operation that does, TensorFlow continues on another thread.
_STAGE = "mwtutor_exchanges"

#: The key that was drawn last for an exchange that follows immediately, unless that key has been
#: used: the call of the method that makes the exchange, the key, and its device.
_drawn: tuple[FrameType, int, str] | None = None

#: TensorFlow's class of values outside of graphs.
_Value: Any = None


def install() -> None:
    functions = "tensorflow.python.eager.polymorphic_function.polymorphic_function"
    builders.wrap(tuple(_KINDS), _recording)
    when_imported("tensorflow.python.distribute.cross_device_utils", _note_keys)
    when_imported(functions, _note_errors)
    when_imported("tensorflow.python.distribute.cross_device_ops", _note_callers)
    for version in ("", "compat.v1.", "compat.v2."):
        when_imported(f"tensorflow._api.v2.{version}raw_ops", _watch_raw_operations)
    sessions.install()
    when_imported("tensorflow.dtensor.python.dtensor_device", _watch_dtensor)


def _note_keys(module: ModuleType) -> None:
    global _Value
    launcher = module.CollectiveReplicaLauncher
    draw = module.CollectiveKeys.get_instance_key
    holding = launcher._next_instance_key.__code__
    exchanging = {id(method.__code__) for method in vars(launcher).values() if isfunction(method)}
    _Value = module.ops.EagerTensor

    @functools.wraps(draw)
    def noted(self: Any, group_key: Any, device: Any) -> Any:
        global _drawn
        key = draw(self, group_key, device)
        if sys._getframe(1).f_code is holding:
            by = sys._getframe(2)
            if id(by.f_code) in exchanging:  # not a function of the program
                _drawn = by, key, device
                return key
        _ask(group_key, key)
        return key

    module.CollectiveKeys.get_instance_key = noted


def _note_callers(module: ModuleType) -> None:
    reduce = module.CollectiveAllReduce._all_reduce_per_replica_values
    inside = (one for one in reduce.__code__.co_consts if isinstance(one, CodeType))
    origins.in_pool = next((one for one in inside if one.co_name == "thread_fn"), None)

    @functools.wraps(reduce)
    def noted(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        before, origins.caller = origins.caller, sys._getframe(1)
        try:
            return reduce(*args, **kwargs)
        finally:
            origins.caller = before

    module.CollectiveAllReduce._all_reduce_per_replica_values = noted


def _ask(group: int, key: int) -> None:
    """Record which line causes the exchanges with this key."""
    if (noting := ledger.here()) is not None:
        site, _ = origins.program_line(noting)
        if site.place.file:
            noting.asked(group, key, site.place)


def _note_errors(module: ModuleType) -> None:
    noted = sessions.noting_errors(module.Function.__call__)
    noted.autograph_info__ = None  # type: ignore[attr-defined]  # AutoGraph need not look into it
    module.Function.__call__ = noted


def _recording(name: str, build: builders.Build) -> builders.Build:
    kind, names = _KINDS[name], builders.parameters(build)
    receives = name.startswith("broadcast_recv")

    def recording(*args: Any, **kwargs: Any) -> Any:
        global _drawn
        __tracebackhide__ = True
        if (noting := ledger.here()) is None:
            return build(*args, **kwargs)
        drawn, _drawn = _drawn, None
        at_once = drawn is not None and drawn[0] is sys._getframe(1)
        if drawn is not None and at_once and len(args) == 4:
            tensor, members, group, held = args
            if type(held) is type(tensor) is _Value and members > 1:
                by, key, device = drawn
                site, ours = origins.program_line_again(noting, by)
                shape, dtype = tensor._shape_tuple(), tensor._datatype_enum()
                what = name, device, members, ours, shape, dtype
                if (known := site.operations.get(what)) is None:
                    given = {"group_size": members, "device": device.rpartition("device:")[2]}
                    known = _described(noting, site.place, kind, given, [tensor], ours=ours)
                    site.remember(what, known)
                number, size = known
                here = site.number
                return noting.record_call(number, here, group, key, size, build, args, kwargs)
        given = {**dict(zip(names, args, strict=False)), **kwargs}
        if drawn is not None and at_once:
            _ask(given["group_key"], drawn[1])
        go = functools.partial(build, *args, **kwargs)
        return note(kind, given, [] if receives else [given["t"]], go)

    return recording


def note(kind: str, given: dict[str, Any], tensors: list[Any], go: Callable[[], Any]) -> Any:
    """Call ``go``, which builds or executes a collective; record its executions; return the result.

    Args:
        kind: see :class:`~mwtutor.worker.ledger.Operation`.
        given: ``group_key``, ``instance_key``, ``group_size``; ``shape`` and ``dtype`` of this
            task's output, if it has no input; ``device``, if not the one in scope.
        tensors: this task's input.
    """
    __tracebackhide__ = True
    if (noting := ledger.here()) is None:
        return go()
    if isinstance(given["group_size"], int) and given["group_size"] < 2:
        return go()  # no other task takes part
    if _context().executing_eagerly():
        return _at_once(noting, go, kind, given, tensors)
    if by := _left_out():
        noting.leaves_out(by)
        return go()
    return _in_graph(noting, go, kind, given, tensors)


def _at_once(
    noting: Ledger, go: Callable[[], Any], kind: str, given: dict[str, Any], tensors: list[Any]
) -> Any:
    __tracebackhide__ = True
    site, ours = origins.program_line(noting)
    number, size = _described(noting, site.place, kind, given, tensors, ours=ours)
    group, key = int(given["group_key"]), int(given["instance_key"])
    ledger.settle()
    row = noting.begins_at_once(
        number, site.number, given.get("device") or _device(), group, key, size
    )
    try:
        result = go()
    except BaseException:
        noting.close(row, -time.time())
        noting.breaks_off()
        raise
    noting.close(row, time.time())
    return result


def _described(
    noting: Ledger,
    place: Place,
    kind: str,
    given: dict[str, Any],
    tensors: list[Any],
    *,
    ours: bool,
) -> tuple[int, int]:
    """The number of the operation, and the bytes of its input."""
    shape, dtype = _form(given, tensors)
    number = noting.operation(_operation(kind, given, shape, dtype, place, ours=ours))
    return number, _bytes(shape, dtype) or 0


def _in_graph(
    noting: Ledger, go: Callable[[], Any], kind: str, given: dict[str, Any], tensors: list[Any]
) -> Any:
    import tensorflow as tf

    __tracebackhide__ = True
    shape, dtype = _form(given, tensors)
    site, ours = origins.program_line(noting)
    place = origins.built_by() or site.place
    number = noting.operation(_operation(kind, given, shape, dtype, place, ours=ours))
    ledger.empty_with(_taker())
    graph = tf.compat.v1.get_default_graph()
    ready = [tensor for tensor in tensors if getattr(tensor, "graph", None) is graph]
    size = _bytes(shape, dtype)
    if size is None:
        size = tf.add_n([tf.size(tensor, tf.int64) for tensor in tensors]) * dtype.size
    begun = _put(2 * number, given, size, ready)
    # In a function, an exchange does not wait for its records: where the first call creates
    # variables, everything is in a branch, in which an exchange that is chained to a record fails.
    # In graph mode, only operations chained to a result are executed.
    in_order = not tf.compat.v1.executing_eagerly_outside_functions()
    with tf.control_dependencies([begun] if in_order else []):
        result = go()
    ended = _put(2 * number + 1, given, 0, [begun, *tf.nest.flatten(result)])
    if not in_order:
        return result
    with tf.control_dependencies([ended]):
        return (
            ended
            if isinstance(result, tf.Operation)
            else tf.nest.map_structure(tf.identity, result)
        )


def _put(what: int, given: dict[str, Any], size: Any, after: list[Any]) -> Any:
    """Stage a row with the time at which all of ``after`` is ready."""
    import tensorflow as tf

    fields = [what, given["group_key"], size]
    known = [tf.get_static_value(field) for field in fields]
    key = tf.convert_to_tensor(given["instance_key"], tf.int32)  # a different one for each call
    with tf.device("CPU:0"):
        if None in known:
            row = tf.stack([tf.cast(field, tf.int64) for field in fields])
        else:
            row = tf.constant(known, tf.int64)
        with tf.control_dependencies(after):
            now = tf.timestamp()
        staged = tf.raw_ops.Stage(values=[row, key, now], shared_name=_STAGE)
    if known[1] == ledger.HOROVOD_IN_GRAPH:
        _in_any_order(now.op, staged)
    return staged


def _in_any_order(*notes: Any) -> None:
    """Keep records from waiting: a function executes everything with side effects in order.

    TensorFlow's collectives run in this order, too; Horovod's run concurrently.
    """
    import tensorflow as tf

    graph = tf.compat.v1.get_default_graph()
    if (manager := getattr(graph, "experimental_acd_manager", None)) is not None:
        for one in notes:
            manager.run_independently(one)


def _taker() -> ledger.Take:
    """The function that collects the rows staged by the operation that is being built."""
    import tensorflow as tf

    if tf.compat.v1.executing_eagerly_outside_functions():
        return _take
    with tf.device("CPU:0"):
        return _taker_of_sessions(tf.no_op().device)


@functools.cache
def _taker_of_sessions(device: str) -> ledger.Take:
    return sessions.taker(device, _staged())


def _staged() -> dict[str, Any]:
    import tensorflow as tf

    return {"dtypes": [tf.int64, tf.int32, tf.float64], "shared_name": _STAGE}


def _take() -> Iterator[ledger.Noted]:
    """Take the staged rows."""
    import tensorflow as tf

    staged = _staged()
    with tf.device("CPU:0"):
        for _ in range(int(tf.raw_ops.StageSize(**staged))):
            row, key, at = tf.raw_ops.Unstage(**staged)
            what, group, size = row.numpy().tolist()
            yield what, group, int(key), size, float(at)


def _left_out() -> str:
    """Why the operation that is being built cannot be recorded, in words; empty if it can."""
    import tensorflow as tf
    from tensorflow.python.framework import config
    from tensorflow.python.ops import control_flow_util

    if config.is_op_determinism_enabled():  # deterministic operations must not read the clock
        return "functions with deterministic operations"
    # The stack does not show this, because a strategy builds each replica's part in another thread.
    graph = tf.compat.v1.get_default_graph()
    return "XLA" if control_flow_util.GraphOrParentsInXlaContext(graph) else ""


# -- what is not recorded -------------------------------------------------------------------


def _watch_raw_operations(module: ModuleType) -> None:
    for name in vars(module).copy():
        if name.startswith("Collective"):
            setattr(module, name, _unnoted(getattr(module, name)))


def _unnoted(build: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(build)
    def unnoted(**kwargs: Any) -> Any:
        __tracebackhide__ = True
        if kwargs.get("group_size") not in (0, 1):
            ledger.leave_out("tf.raw_ops")
        return build(**kwargs)

    return unnoted


def _watch_dtensor(module: ModuleType) -> None:
    def leave_out(*args: Any, **kwargs: Any) -> None:
        if module.config.num_clients() > 1:
            ledger.leave_out("DTensor")

    before(module.DTensorDevice, "__init__", leave_out)


# -- the operation, and the line that requests it -------------------------------------------


def _form(given: dict[str, Any], tensors: list[Any]) -> tuple[tuple[int, ...] | None, Any]:
    """Shape and type of this task's input, or output; no shape if it is not known yet.

    Several tensors count as one with all their elements.
    """
    import tensorflow as tf

    dtype = tf.as_dtype(tensors[0].dtype if tensors else given["dtype"])
    try:
        shapes = [tf.TensorShape(one.shape) for one in tensors] or [tf.TensorShape(given["shape"])]
        if len(shapes) > 1:
            shapes = [tf.TensorShape([sum(one.num_elements() for one in shapes)])]
        shape = shapes[0].as_list()
    except (TypeError, ValueError):  # the shape is a tensor, or its rank is unknown
        return None, dtype
    return (None if None in shape else tuple(shape)), dtype


def _bytes(shape: tuple[int, ...] | None, dtype: Any) -> int | None:
    if shape is None:
        return None
    size: int = dtype.size
    for length in shape:
        size *= length
    return size


def _operation(
    kind: str,
    given: dict[str, Any],
    shape: tuple[int, ...] | None,
    dtype: Any,
    place: Place,
    *,
    ours: bool,
) -> Operation:
    return Operation(
        kind,
        dtype.name,
        shape,
        given.get("device") or _device(),
        _group_size(given),
        place.file,
        place.line,
        place.function,
        place.cell,
        ours,
    )


def _group_size(given: dict[str, Any]) -> int:
    """The number of participants; 0 if only a tensor contains it."""
    size = given["group_size"]
    return size if isinstance(size, int) else 0


def _device() -> str:
    """The device that is in scope, as ``CPU:0``."""
    context = _context()
    if context.executing_eagerly():
        name = context.context().device_name
    else:
        import tensorflow as tf

        name = tf.no_op().device
    return (name or "").rpartition("device:")[2] or "CPU:0"


@functools.cache
def _context() -> ModuleType:
    """TensorFlow's ``context`` module; even a repeated import statement takes time."""
    from tensorflow.python.eager import context

    return context  # type: ignore[no-any-return]
