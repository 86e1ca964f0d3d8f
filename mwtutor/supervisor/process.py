"""The process of a supervisor: forked from the fork server, or a new interpreter.

When the connection to its owner closes (the kernel was killed, the terminal was closed), the
supervisor stops the tasks and all their descendants, and records that.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, Protocol

from mwtutor.exceptions import MwtutorError, message_of
from mwtutor.run import control
from mwtutor.run.record import life
from mwtutor.run.record.eventlog import EventWriter
from mwtutor.run.record.spec import RunSpec
from mwtutor.supervisor import guard
from mwtutor.supervisor.host import Machine
from mwtutor.supervisor.loop import Supervisor
from mwtutor.supervisor.orders import Orders, Rewire
from mwtutor.supervisor.world import World
from mwtutor.system import child, classroom, processes, transport


@dataclass(frozen=True)
class Place:
    """A supervisor's run, and its connections.

    Attributes:
        run: the run that it supervises.
        context: the context that the tasks inherit.
        keep: descriptors that forked tasks need.
        owner: the connection whose end-of-file means that the run is no longer wanted.
        listener: the socket on which commands arrive.
        link: the connection on which its guard asks whether it responds.
    """

    run: RunSpec
    context: child.ProcessContext
    keep: Collection[int]
    owner: socket.socket
    listener: socket.socket
    link: socket.socket


class Heeds(World, Protocol):
    """A world that accepts commands."""

    def take_orders(self, control: control.ControlServer) -> None: ...


#: Starts the tasks; returns the function that supervises them to the end.
Begin = Callable[[Place], Callable[[], None]]


def supervise_cold(fd: int, begin: Begin | None = None) -> NoReturn:
    """Act as a supervisor in its own interpreter; the request arrives over ``fd``.

    Args:
        begin: starts the tasks; by default, on this machine.
    """
    owner = socket.socket(fileno=fd)
    order, fds = transport.receive(owner, max_fds=2)  # the second is only kept open
    supervise(owner, socket.socket(fileno=fds[0]), order, (), begin)


def supervise(
    owner: socket.socket,
    lease: socket.socket,
    order: dict[str, Any],
    keep: Collection[int],
    begin: Begin | None = None,
) -> NoReturn:
    """Supervise one run from start to finish; does not return.

    Args:
        owner: the connection whose end-of-file means that the run is no longer wanted.
        lease: the same, for the guard.
        order: the :class:`RunSpec` and the :class:`ProcessContext` of the tasks, as JSON.
        keep: descriptors that forked tasks need.
        begin: as for :func:`supervise_cold`.
    """
    code = 1
    try:
        go_on = _told_why_not(owner, lease, order, keep, begin or _begin)
        transport.send(owner, {"started": os.getpid()})
        go_on()
        code = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        processes.kill_children()
        os._exit(code)


def _told_why_not(
    owner: socket.socket,
    lease: socket.socket,
    order: dict[str, Any],
    keep: Collection[int],
    begin: Begin,
) -> Callable[[], None]:
    """Start the tasks, or report to the owner why that is not possible."""
    try:
        run = RunSpec.from_json(order["run"])
        listener = control.listen(Path(order["control"]))
        link = guard.leave_behind(run, listener, owner, lease)
        os.setsid()
        child.set_title(f"mwtutor supervisor of {run.name}")
        life.hold(run)  # after the fork: the lock proves that this process, not its guard, is alive
        context = child.ProcessContext.from_json(order["context"])
        return begin(Place(run, context, keep, owner, listener, link))
    except MwtutorError as error:
        transport.send(owner, {"problem": error.problem, "remedy": error.remedy})
        raise
    except Exception as error:
        with contextlib.suppress(OSError):
            os.unlink(order["control"])
        transport.send(owner, {"error": message_of(error)})
        raise


def _begin(place: Place) -> Callable[[], None]:
    """Start the tasks on this machine."""
    machine = Machine(place.run, place.context, place.keep)
    log = EventWriter(place.run.events)
    limits = classroom.shares()
    supervisor = Supervisor(
        place.run.request,
        machine,
        log,
        session=bool(place.run.sockets),
        idle=limits.idle if limits else 0,
    )
    machine.watch(*woken(supervisor))
    supervisor.start()
    heed(place, machine, supervisor, machine.wires(supervisor.record).obey)
    return supervisor.watch


def woken(supervisor: Supervisor) -> tuple[socket.socket, Callable[[], None]]:
    """The socket to watch for signals to this process, and the function to call for them."""
    return processes.wake_on_signals(lambda: supervisor.stop("its supervisor was terminated"))


def heed(place: Place, machine: Heeds, supervisor: Supervisor, rewire: Rewire) -> None:
    """From now on, handle the owner, the guard, and commands."""
    machine.watch(place.owner, lambda: _hear_owner(machine, supervisor, place.owner))
    orders = Orders(supervisor.tasks, supervisor.stop, supervisor.record, rewire)
    machine.take_orders(control.ControlServer(place.listener, orders.obey))
    machine.watch(place.link, lambda: _answer_guard(machine, place.link))


def _hear_owner(machine: World, supervisor: Supervisor, owner: socket.socket) -> None:
    """Stop the run, because its owner asked for that or closed the connection."""
    try:
        reason = owner.recv(4096).decode(errors="replace")
    except OSError:
        reason = ""
    if not reason:
        machine.forget(owner)
    supervisor.stop(reason or "it ended with the process that launched it")


def _answer_guard(machine: World, link: socket.socket) -> None:
    if not guard.answer(link):
        machine.forget(link)
