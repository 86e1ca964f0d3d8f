"""An IPython kernel inside a task: the strategy first, then cells until it is stopped.

It is an ordinary kernel (``ipykernel``) on Unix sockets that understands six more messages:
``mwtutor_push`` and ``mwtutor_pull`` on the shell channel move values, ``mwtutor_evaluate`` there
returns the values of expressions, and ``mwtutor_variables`` lists variables; on the control
channel, which has its own thread, ``mwtutor_where`` reports what the cell is doing now and
``mwtutor_release`` releases it from a collective that its peers will never join.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import os
import signal
import sys
import tempfile
import threading
import traceback
import warnings
from collections import deque
from collections.abc import Iterator
from threading import get_ident
from typing import Any

from ipykernel import compiler
from ipykernel.compiler import get_file_name
from ipykernel.iostream import OutStream
from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp

from mwtutor import metrics, pushed_and_pulled
from mwtutor.cluster import parse_tf_config
from mwtutor.network.hints import network_hint
from mwtutor.sanitize import whole_number
from mwtutor.system.importhook import when_imported
from mwtutor.worker import collectives, interrupts, ledger, moments, predefined_names, variables
from mwtutor.worker.in_collective import in_collective
from mwtutor.worker.patches import another_strategy, coordination
from mwtutor.worker.raised import describe

#: The reason for a release from a collective; part of the error that the released cell shows.
RELEASED = "released by mwtutor: another worker takes no part in this collective"

#: True in a worker without parameter servers; a chief with parameter servers has no collectives.
_has_collectives = False

#: Whether this worker was released from a collective.
_was_released = False


class StrategyLost(Exception):
    """A cell needs the scope of ``strategy``, but that name now has another value."""


class CellKernel(IPythonKernel):  # type: ignore[misc]
    """Runs cells, in the strategy's scope if requested."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        for verb in ("push", "pull", "evaluate", "variables"):
            self.shell_handlers[f"mwtutor_{verb}"] = getattr(self, verb)
        for verb in ("where", "release"):
            self.control_handlers[f"mwtutor_{verb}"] = getattr(self, verb)
        control = self.control_thread.io_loop
        self._interrupts = interrupts.Handler(
            lambda seconds, call: control.add_callback(control.call_later, seconds, call)
        )
        sys.unraisablehook = self._interrupts.report

    @property
    def _supports_kernel_subshells(self) -> bool:
        return False

    def pre_handler_hook(self) -> None:
        super().pre_handler_hook()
        self._interrupts.begin()
        signal.signal(signal.SIGINT, self._interrupts)

    def post_handler_hook(self) -> None:
        self._interrupts.end()
        super().post_handler_hook()

    async def execute_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        try:
            await super().execute_request(stream, ident, parent)
        except (Exception, asyncio.CancelledError, KeyboardInterrupt) as error:
            # Otherwise the kernel would only log the error, and the client would wait forever for
            # the cell's reply.
            reply = _error_reply(error)
            self.session.send(stream, "execute_reply", reply, parent, ident=ident)

    async def do_execute(self, code: str, *args: Any, **options: Any) -> Any:
        wanted = self.get_parent("shell").get("metadata", {}).get("mwtutor", {})
        if number := int(wanted.get("count", 0)):  # tracebacks name the cell as the notebook does
            self.shell.execution_count = number
            ledger.cells[get_file_name(code)] = number
        with contextlib.ExitStack() as around:
            around.enter_context(_told_what_runs(number, bool(wanted.get("background"))))
            around.enter_context(moments.during(moments.CELL, number))
            if wanted.get("scope"):
                around.enter_context(self._scope())
            around.callback(self._interrupts.end)
            reply = await super().do_execute(code, *args, **options)
        if reply["status"] == "error" and (error := getattr(sys, "last_value", None)) is not None:
            if hint := network_hint(error):
                print(hint, file=sys.stderr)
            if told := _told(error, reply["ename"]):
                reply["mwtutor_told"] = told
        return reply

    def do_complete(self, code: str, cursor_pos: int) -> Any:
        if "tf.keras" in code:  # loaded on first use; IPython does not look into lazy objects
            with contextlib.suppress(Exception):
                _ = self.shell.user_ns["tf"].keras.layers
        return super().do_complete(code, cursor_pos)

    def _scope(self) -> Any:
        from tensorflow.python.distribute.distribute_lib import StrategyBase

        strategy = self.shell.user_ns.get("strategy")
        if not isinstance(strategy, StrategyBase):
            raise StrategyLost
        return strategy.scope()

    async def interrupt_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        await super().interrupt_request(stream, ident, parent)
        # Otherwise a loop that sleeps in an `await` would notice the signal only after the sleep.
        self.io_loop.add_callback(lambda: None)

    # -- values -----------------------------------------------------------------------------

    def push(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        answer: dict[str, Any] = {"status": "ok"}
        try:
            self.shell.push(pushed_and_pulled.load(parent["buffers"]), interactive=False)
        except Exception as error:
            answer = {"status": "error", "problem": f"{type(error).__name__}: {error}"}
        self.session.send(stream, "mwtutor_push_reply", answer, parent, ident=ident)

    def pull(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        names: list[str] = parent["content"]["names"]
        missing = [name for name in names if name not in self.shell.user_ns]
        answer: dict[str, Any] = {"status": "ok", "missing": missing}
        buffers: list[Any] = []
        try:
            if not missing:
                buffers = pushed_and_pulled.dump({name: self.shell.user_ns[name] for name in names})
        except pushed_and_pulled.CannotTravel as error:
            answer = {"status": "error", "problem": str(error), "missing": []}
        self.session.send(
            stream, "mwtutor_pull_reply", answer, parent, ident=ident, buffers=buffers
        )

    def evaluate(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Send the value of each expression, if it has one that can be sent."""
        counts: dict[str, int] = {}
        buffers: list[Any] = []
        for expression in parent["content"]["expressions"]:
            try:
                parts = pushed_and_pulled.dump(eval(expression, dict(self.shell.user_ns)))
            except (Exception, KeyboardInterrupt, SystemExit):
                continue
            counts[expression] = len(parts)
            buffers += parts
        self.session.send(
            stream,
            "mwtutor_evaluate_reply",
            {"counts": counts},
            parent,
            ident=ident,
            buffers=buffers,
        )

    def variables(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Send the existing variables, and their places."""
        try:
            answer = {"status": "ok", "variables": variables.live_variables(self.shell.user_ns)}
        except Exception as error:
            answer = {"status": "error", "problem": f"{type(error).__name__}: {error}"}
        self.session.send(stream, "mwtutor_variables_reply", answer, parent, ident=ident)

    # -- the control thread -----------------------------------------------------------------

    def where(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Send whether the cell may be inside a collective, and the processor time used so far.

        Also send how many of the closures that it scheduled remain, and whether it is in a call to
        its coordinator, such as ``join()``.
        """
        # Any thread counts: a strategy runs each replica's part in its own thread.
        inside = any(map(in_collective, sys._current_frames().values()))
        used = os.times()
        answer = {
            "inside": inside,
            "cpu": used.user + used.system,
            "scheduled": coordination.remaining(),
            "coordinating": coordination.waits(),
        }
        self.session.send(stream, "mwtutor_where_reply", answer, parent, ident=ident)

    def release(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        from tensorflow.python.eager import context
        from tensorflow.python.framework import errors_impl

        global _was_released
        _was_released = True
        another_strategy.release(RELEASED)
        context.context().abort_collective_ops(errors_impl.ABORTED, RELEASED)
        self.session.send(stream, "mwtutor_release_reply", {}, parent, ident=ident)


@contextlib.contextmanager
def _told_what_runs(number: int, background: bool) -> Iterator[None]:
    """Report that a cell is being executed, and when it has ended."""
    metrics.send("executing", wait=1.0, cell=number, background=background)
    try:
        yield
    finally:
        _tell_idle()


def _tell_idle() -> None:
    """Report that this worker waits for a cell, and whether its collectives still work."""
    lost = ""
    if _has_collectives:
        # A cell may have changed anything; and an interrupt was meant for the cell, not for this
        # code.
        with contextlib.suppress(Exception, KeyboardInterrupt):
            lost = collectives.why_lost()
    metrics.send("idle", wait=1.0, lost=lost, released=_was_released)


def _told(error: BaseException, name: str) -> dict[str, str]:
    """The cell's error in a sentence, and advice; empty if there is no description."""
    if type(error).__name__ != name:  # an earlier cell's error: IPython does not store an interrupt
        return {}
    try:
        described = describe(error, cell=True)
    except Exception:  # a cell's exception may raise when inspected
        return {}
    return {what: described[what] for what in ("message", "advice")}


def _error_reply(error: BaseException) -> dict[str, Any]:
    return {
        "status": "error",
        "ename": type(error).__name__,
        "evalue": str(error),
        "traceback": [] if isinstance(error, StrategyLost) else traceback.format_exception(error),
    }


class CellApp(IPKernelApp):  # type: ignore[misc]
    """The kernel's process, without ipykernel's subshells: one thread answers requests.

    Otherwise every message would pass between threads twice, which takes a third of the time of an
    empty cell; and two cells of a worker, which must not run at the same time, could do so in
    subshells.
    """

    def init_kernel(self) -> None:
        self.shell_channel_thread = _NoThread()
        super().init_kernel()


class _NoThread:
    """Replaces the thread that would pass messages on; only its ``parent_thread`` is needed.

    An interrupt can cancel a cell with a top-level ``await`` only if the cell runs in that thread.
    """

    def __init__(self) -> None:
        self.parent_thread = threading.main_thread()

    def __bool__(self) -> bool:
        return False


class CellStream(OutStream):  # type: ignore[misc]
    """Standard output or error of the cells, cheaper than the kernel's own.

    ``print`` writes a line in up to four pieces. They are held back until the line is complete, or
    until the stream is flushed, which the kernel does several times per second: handling a piece,
    and writing it to the log, takes longer than making it. Flushing is free if nothing was written;
    the kernel flushes both streams twice per cell, and waits for another thread each time.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._pieces: deque[str] = deque()
        self._writing = threading.RLock()  # a signal handler may print
        self._writer = 0  # the thread that wrote the pieces
        self._written = self._forked = False
        super().__init__(*args, **kwargs)
        os.register_at_fork(after_in_child=self._forget)

    def write(self, string: str) -> int | None:
        self._written = True
        if self._forked or self.closed or not isinstance(string, str):
            return super().write(string)  # type: ignore[no-any-return]
        if get_ident() != self._writer:
            self._complete()
            self._writer = get_ident()
        self._pieces.append(string)
        if "\n" in string:
            self._complete()
        elif len(self._pieces) == 1:
            self._schedule_flush()
        return len(string)

    def _complete(self) -> None:
        with self._writing:
            pieces = [self._pieces.popleft() for _ in range(len(self._pieces))]
            if pieces:
                super().write("".join(pieces))

    def _forget(self) -> None:
        """Leave the pieces, and the flushing of further ones, to the parent process."""
        self._pieces.clear()
        self._writing = threading.RLock()
        self._forked = True

    def _flush(self) -> None:
        self._complete()
        super()._flush()

    def flush(self) -> None:
        if self._written:
            self._written = False
            super().flush()


def serve(directory: str) -> None:
    """Create the strategy, then run a kernel on sockets in ``directory`` until it is shut down.

    With parameter servers, only the chief does so; the other tasks serve it.
    """
    global _has_collectives
    cluster, _ = parse_tf_config(os.environ["TF_CONFIG"])
    _has_collectives = not cluster.ps
    partition = whole_number(os.environ.get(predefined_names.PARTITION_ENV, "")) or 0
    source = predefined_names.source(ps=bool(cluster.ps), partition=partition)
    names: dict[str, Any] = {}
    exec(compile(source, "<mwtutor>", "exec"), names)
    task = f"{names['task_type']}-{names['task_index']}"
    app = CellApp.instance(
        kernel_class=CellKernel,
        user_ns={name: value for name, value in names.items() if not name.startswith("_")},
        connection_file=os.path.join(directory, f"{task}.json"),
        # C++ messages stay in the log, which also receives all output of the cells.
        capture_fd_output=False,
        quiet=False,
        outstream_class=f"{__name__}.{CellStream.__name__}",
        # The supervisor is the parent, whatever the environment variables say.
        parent_handle=1,
        log_level=logging.ERROR,
    )
    app.config.HistoryManager.enabled = False
    # With the process's number in them, identical warnings of different workers would differ.
    compiler.get_tmp_directory = lambda: os.path.join(tempfile.gettempdir(), "ipykernel_cells")
    # Existing names are completed immediately; Jedi would take seconds to read TensorFlow.
    app.config.IPCompleter.use_jedi = False
    before = sys.stdout, sys.stderr
    # The user's own profile and history are for kernels that the user starts.
    private = os.path.join(directory, task)
    with _environment(IPYTHONDIR=private, PYDEVD_DISABLE_FILE_VALIDATION="1"):
        app.initialize([])
    # A cell that calls exit() or sys.exit() must not end its worker.
    app.shell.user_ns.update(exit=sys.exit, quit=sys.exit)
    warnings.filterwarnings("ignore", "To exit: use 'exit'")
    _redirect_handlers(before)
    _show_tf_print()
    _show_figures()
    _tell_idle()
    when_imported("tqdm.notebook", _show_bars_as_text)
    app.start()


@contextlib.contextmanager
def _environment(**variables: str) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        for name in variables:
            os.environ.pop(name, None)
            if name in before:
                os.environ[name] = before[name]


def _redirect_handlers(before: tuple[Any, Any]) -> None:
    """Redirect loggers that stored the streams before the kernel replaced them."""
    new = dict(zip(map(id, before), (sys.stdout, sys.stderr), strict=True))
    loggers = [logging.getLogger(), *map(logging.getLogger, list(logging.root.manager.loggerDict))]
    for handler in [handler for logger in loggers for handler in logger.handlers]:
        target = new.get(id(getattr(handler, "stream", None)))
        if isinstance(handler, logging.StreamHandler) and target is not None:
            handler.setStream(target)


def _show_tf_print() -> None:
    # TensorFlow looks for IPython when it is imported; here, it was imported before the fork.
    from tensorflow.python.ops import logging_ops

    logging_ops.enable_interactive_logging()


def _show_figures() -> None:
    # Keras imported Matplotlib before the fork, and Matplotlib reads MPLBACKEND when imported.
    if (matplotlib := sys.modules.get("matplotlib")) is not None:
        matplotlib.rcParams["backend"] = os.environ["MPLBACKEND"]


def _show_bars_as_text(module: Any) -> None:
    """Replace progress bars for notebooks: they are widgets, whose updates stay in the worker."""
    std = importlib.import_module("tqdm.std")
    module.tqdm = module.tqdm_notebook = std.tqdm
    module.trange = module.tnrange = std.trange
