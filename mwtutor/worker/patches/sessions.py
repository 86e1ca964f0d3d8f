"""Collect the records of exchanges in graph mode, with a separate session at the program's server.

A session of ``tf.compat.v1`` executes a graph on the devices of a server. Eager operations cannot
reach these devices, but another session at the same server can.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from mwtutor.system.importhook import when_imported
from mwtutor.system.wrapping import after
from mwtutor.worker import ledger

#: One call takes at most ``2**_AT_ONCE`` rows; each smaller power of two has its own callable, too.
_AT_ONCE = 6

#: Milliseconds to wait for an unresponsive server.
_PATIENCE = 5_000

#: The program's last session at a server: the server's address and the session's configuration.
_last: list[tuple[str, Any]] = []

#: The arguments of operations on staged rows.
Staged = dict[str, Any]


def install() -> None:
    when_imported("tensorflow.python.client.session", _watch_sessions)


def _watch_sessions(module: ModuleType) -> None:
    def note(session: Any, target: Any = "", graph: Any = None, config: Any = None) -> None:
        if target:
            _last[:] = [(target, config)]

    after(module.BaseSession, "__init__", note)
    module.BaseSession.run = noting_errors(module.BaseSession.run)


def noting_errors(call: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a call that may execute exchanges; an error that the call raises has ended them."""

    @functools.wraps(call)
    def noted(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        ledger.executes()
        try:
            return call(*args, **kwargs)
        except BaseException:
            ledger.broken_off()
            raise
        finally:
            ledger.executes()

    return noted


def taker(device: str, staged: Staged) -> ledger.Take:
    """A function that collects the rows staged on a device, once the program has a session."""
    opened: list[Callable[[], Iterator[ledger.Noted]]] = []

    def take() -> Iterator[ledger.Noted]:
        if not _last:
            return
        try:
            if not opened:
                opened.append(_open(*_last[0], device, staged))
            yield from opened[0]()
        except Exception:
            ledger.leave_out("graph mode")
            raise

    return take


def _open(
    target: str, config: Any, device: str, staged: Staged
) -> Callable[[], Iterator[ledger.Noted]]:
    import tensorflow as tf

    graph = tf.Graph()
    with graph.as_default(), tf.device(device):
        size = tf.raw_ops.StageSize(**staged)
        rows: list[Any] = []
        for _ in range(1 << _AT_ONCE):
            with tf.control_dependencies([rows[-1][1]] if rows else []):  # one after the other
                rows.append(tf.raw_ops.Unstage(**staged))
    own = tf.compat.v1.ConfigProto(operation_timeout_in_ms=_PATIENCE)
    own.device_filters.extend(config.device_filters if config is not None else [])
    before = _last[:]
    session = tf.compat.v1.Session(target, graph, own)
    _last[:] = before

    # Not by run(), which is wrapped to note the program's errors.
    staged_now = session.make_callable(size)
    taking = [session.make_callable(rows[: 1 << power]) for power in range(_AT_ONCE + 1)]

    def take() -> Iterator[ledger.Noted]:
        left = int(staged_now())
        while left:
            power = min(left.bit_length() - 1, _AT_ONCE)
            for row, key, at in taking[power]():
                what, group, given = row.tolist()
                yield what, group, int(key), given, float(at)
            left -= 1 << power

    return take
