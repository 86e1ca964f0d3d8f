"""Record every collective operation that is executed: see :mod:`mwtutor.worker.ledger`.

An eager operation is recorded before and after it runs. Around one in a graph, two operations put
the time into a queue: when its input is ready, and when it has ended. XLA has no such operations,
so compiled code stays unchanged. That gap is recorded, because it makes it impossible to know whose
exchange is missing.

The number of an exchange is TensorFlow's own instance key, which Python draws for each call of a
function; the workers' operations with the same key meet. The line that is being executed is
recorded with it.
"""

from __future__ import annotations

import functools
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import CodeType, FrameType, ModuleType
from typing import Any

from mwtutor.system import child
from mwtutor.system.importhook import when_imported
from mwtutor.worker import ledger
from mwtutor.worker.ledger import Ledger, Operation, Place
from mwtutor.worker.patches import builders, sessions

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

#: The modules that add our own exchanges to a program.
_OURS = f"{child.OURS}bridges/keras3/exchange.py"

#: The number of frames that are searched for the program's own.
_DEEPEST = 200


def install() -> None:
    functions = "tensorflow.python.eager.polymorphic_function.polymorphic_function"
    builders.around(tuple(_KINDS), _note)
    when_imported("tensorflow.python.distribute.cross_device_utils", _note_keys)
    when_imported(functions, _note_errors)
    for version in ("", "compat.v1.", "compat.v2."):
        when_imported(f"tensorflow._api.v2.{version}raw_ops", _watch_raw_operations)
    sessions.install()
    when_imported("tensorflow.dtensor.python.dtensor_device", _watch_dtensor)


def _note_keys(module: ModuleType) -> None:
    draw = module.CollectiveKeys.get_instance_key

    @functools.wraps(draw)
    def noted(self: Any, group_key: Any, device: Any) -> Any:
        key = draw(self, group_key, device)
        if (noting := ledger.here()) is not None and (frame := _users_frame()) is not None:
            noting.asked(group_key, key, _place(frame.f_code, frame.f_lineno or 0))
        return key

    module.CollectiveKeys.get_instance_key = noted


def _note_errors(module: ModuleType) -> None:
    noted = sessions.noting_errors(module.Function.__call__)
    noted.autograph_info__ = None  # type: ignore[attr-defined]  # AutoGraph need not look into it
    module.Function.__call__ = noted


def _note(name: str, given: dict[str, Any], go: Callable[[], Any]) -> Any:
    __tracebackhide__ = True
    tensor = None if name.startswith("broadcast_recv") else given.get("t")
    return note(_KINDS[name], given, [] if tensor is None else [tensor], go)


def note(kind: str, given: dict[str, Any], tensors: list[Any], go: Callable[[], Any]) -> Any:
    """Return what ``go`` returns, which builds or executes a collective; record its executions.

    Args:
        kind: see :class:`~mwtutor.worker.ledger.Operation`.
        given: ``group_key``, ``instance_key``, ``group_size``; ``shape`` and ``dtype`` of what this
            task gets if it gives nothing; ``device``, if not the one in scope.
        tensors: what this task gives.
    """
    import tensorflow as tf

    __tracebackhide__ = True
    if (noting := ledger.here()) is None:
        return go()
    if isinstance(given["group_size"], int) and given["group_size"] < 2:
        return go()  # no other task takes part
    if tf.executing_eagerly():
        return _at_once(noting, go, kind, given, tensors)
    if by := _left_out():
        noting.leaves_out(by)
        return go()
    return _in_graph(noting, go, kind, given, tensors)


def _at_once(
    noting: Ledger, go: Callable[[], Any], kind: str, given: dict[str, Any], tensors: list[Any]
) -> Any:
    __tracebackhide__ = True
    shape, dtype = _form(given, tensors)
    size = _bytes(shape, dtype) or 0
    frame = _users_frame()
    place = _place(frame.f_code, frame.f_lineno or 0) if frame is not None else Place()
    number = noting.operation(_operation(kind, given, shape, dtype, place, ours=_is_ours()))
    group, key = int(given["group_key"]), int(given["instance_key"])
    ledger.settle()
    noting.asked(group, key, place)
    noting.begins(number, group, key, size, time.time())
    noting.write()  # it may never end
    try:
        result = go()
        noting.ends(number, group, key, time.time())
    except BaseException:
        noting.breaks_off()
        raise
    finally:
        noting.write()
    return result


def _in_graph(
    noting: Ledger, go: Callable[[], Any], kind: str, given: dict[str, Any], tensors: list[Any]
) -> Any:
    import tensorflow as tf

    __tracebackhide__ = True
    shape, dtype = _form(given, tensors)
    place = _built_by()
    number = noting.operation(_operation(kind, given, shape, dtype, place, ours=_is_ours()))
    ledger.empty_with(_taker())
    graph = tf.compat.v1.get_default_graph()
    ready = [tensor for tensor in tensors if getattr(tensor, "graph", None) is graph]
    size = _bytes(shape, dtype)
    if size is None:
        size = tf.add_n([tf.size(tensor, tf.int64) for tensor in tensors]) * dtype.size
    begun = _put(2 * number, given, size, ready)
    # In a function, an exchange does not wait for its records: where the first call makes
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
    """Stage a row with the time when all its inputs are ready."""
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
    """Take what has been staged."""
    import tensorflow as tf

    staged = _staged()
    with tf.device("CPU:0"):
        for _ in range(int(tf.raw_ops.StageSize(**staged))):
            row, key, at = tf.raw_ops.Unstage(**staged)
            what, group, size = row.numpy().tolist()
            yield what, group, int(key), size, float(at)


def _left_out() -> str:
    """What keeps the operation that is being built from being recorded, in words; or empty."""
    import tensorflow as tf
    from tensorflow.python.framework import config
    from tensorflow.python.ops import control_flow_util

    if config.is_op_determinism_enabled():  # its operations must not read the clock
        return "functions with deterministic operations"
    # The stack does not show it: a strategy builds each replica's part in another thread.
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
    device = module.DTensorDevice
    init = device.__init__

    @functools.wraps(init)
    def unnoted(self: Any, *args: Any, **kwargs: Any) -> None:
        if module.config.num_clients() > 1:
            ledger.leave_out("DTensor")
        init(self, *args, **kwargs)

    device.__init__ = unnoted


# -- what it is, and whose ------------------------------------------------------------------


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
    except (TypeError, ValueError):  # a tensor, or of unknown rank
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
    size = given["group_size"]
    return Operation(
        kind,
        dtype.name,
        shape,
        given.get("device") or _device(),
        size if isinstance(size, int) else 0,
        place.file,
        place.line,
        place.function,
        place.cell,
        ours,
    )


def _device() -> str:
    """The device that is in scope, as ``CPU:0``."""
    import tensorflow as tf
    from tensorflow.python.eager import context

    name = context.context().device_name if tf.executing_eagerly() else tf.no_op().device
    return (name or "").rpartition("device:")[2] or "CPU:0"


def _place(code: CodeType, line: int) -> Place:
    file = code.co_filename
    return Place(file[-300:], line, code.co_name, ledger.cells.get(file, 0))


@functools.lru_cache(4096)
def _is_users(file: str) -> bool:
    return not child.is_installed(file) and "__autograph_generated_file" not in file


def _users_frame() -> FrameType | None:
    """The program's own innermost frame; of its main thread, if this thread has none."""
    found = _own(sys._getframe(1))
    if found is None and threading.current_thread() is not threading.main_thread():
        main = sys._current_frames().get(threading.main_thread().ident or 0)
        found = _own(main)
    return found


def _own(frame: FrameType | None) -> FrameType | None:
    for _ in range(_DEEPEST):
        if frame is None or _is_users(frame.f_code.co_filename):
            return frame
        frame = frame.f_back
    return None


def _built_by() -> Place:
    """The program's own innermost line that is building an operation."""
    from tensorflow.python.util import tf_stack

    for frame in reversed(tf_stack.extract_stack()):  # AutoGraph's lines count as the program's
        if _is_users(frame.filename):
            cell = ledger.cells.get(frame.filename, 0)
            return Place(frame.filename[-300:], frame.lineno, frame.name, cell)
    frame = _users_frame()
    return _place(frame.f_code, frame.f_lineno or 0) if frame is not None else Place()


def _is_ours() -> bool:
    """Whether a compatibility layer builds it, and not the program or its libraries."""
    frame: FrameType | None = sys._getframe(1)
    for _ in range(_DEEPEST):
        if frame is None or _is_users(frame.f_code.co_filename):
            return False
        if frame.f_code.co_filename == _OURS:
            return True
        frame = frame.f_back
    return False
