"""The process of a supervisor: forked from the fork server, or an interpreter of its own.

When the connection to its owner closes (the kernel was killed, the terminal is gone) the tasks and
all their descendants are ended, and that is recorded.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any, NoReturn

from mwtutor.exceptions import MwtutorError, said
from mwtutor.run import control, life
from mwtutor.run.eventlog import EventWriter
from mwtutor.run.spec import RunSpec
from mwtutor.supervisor import guard
from mwtutor.supervisor.loop import Supervisor
from mwtutor.supervisor.machine import Machine
from mwtutor.supervisor.orders import Orders
from mwtutor.system import child, processes, transport


def supervise_cold(fd: int) -> NoReturn:
    """Be a supervisor in an interpreter of its own; the order comes over ``fd``."""
    owner = socket.socket(fileno=fd)
    order, fds = transport.receive(owner, max_fds=1)
    supervise(owner, socket.socket(fileno=fds[0]), order, keep=())


def supervise(
    owner: socket.socket, lease: socket.socket, order: dict[str, Any], keep: Collection[int]
) -> NoReturn:
    """Be the supervisor of one run from start to finish; does not return.

    Args:
        owner: the connection whose end-of-file means that the run is no longer wanted.
        lease: the same, for the guard.
        order: the :class:`RunSpec` and the :class:`ProcessContext` of the tasks, as JSON.
        keep: descriptors that forked tasks need.
    """
    code = 1
    try:
        supervisor = _begin(owner, lease, order, keep)
        transport.send(owner, {"started": os.getpid()})
        supervisor.watch()
        code = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        processes.kill_children()
        os._exit(code)


def _begin(
    owner: socket.socket, lease: socket.socket, order: dict[str, Any], keep: Collection[int]
) -> Supervisor:
    """A supervisor whose tasks have started; else the owner is told why there is none."""
    try:
        run = RunSpec.from_json(order["run"])
        listener = control.listen(Path(order["control"]))
        link = guard.leave_behind(run, listener, owner, lease)
        os.setsid()
        child.set_title(f"mwtutor supervisor of {run.name}")
        life.hold(run)  # after the fork: it proves the life of this process, not of its guard
        machine = Machine(run, child.ProcessContext.from_json(order["context"]), keep)
        log = EventWriter(run.events)
        supervisor = Supervisor(run.request, machine, log, session=bool(run.sockets))
        machine.watch(
            *processes.wake_on_signals(
                lambda: supervisor.stop("its supervisor was told to terminate")
            )
        )
        supervisor.start()
        machine.watch(owner, lambda: _hear_owner(machine, supervisor, owner))
        wires = machine.wires(supervisor.record)
        orders = Orders(supervisor.tasks, supervisor.stop, supervisor.record, wires.obey)
        machine.take_orders(control.ControlServer(listener, orders.obey))
        machine.watch(link, lambda: _answer_guard(machine, link))
        return supervisor
    except MwtutorError as error:
        transport.send(owner, {"problem": error.problem, "remedy": error.remedy})
        raise
    except Exception as error:
        with contextlib.suppress(OSError):
            os.unlink(order["control"])
        transport.send(owner, {"error": said(error)})
        raise


def _hear_owner(machine: Machine, supervisor: Supervisor, owner: socket.socket) -> None:
    """The owner says why the run should stop, or has closed the connection."""
    try:
        reason = owner.recv(4096).decode(errors="replace")
    except OSError:
        reason = ""
    if not reason:
        machine.forget(owner)
    supervisor.stop(reason or "it ended with its kernel")


def _answer_guard(machine: Machine, link: socket.socket) -> None:
    if not guard.answer(link):
        machine.forget(link)
