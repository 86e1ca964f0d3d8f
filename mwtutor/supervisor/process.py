"""The process of a supervisor: forked from the fork server, or an interpreter of its own.

Its parent is a guard, which does nothing but wait: should the supervisor be killed, whatever the
tasks have started becomes the guard's, wherever it hides, and is ended.
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
from mwtutor.run import life
from mwtutor.run.spec import RunSpec
from mwtutor.supervisor.loop import Supervisor
from mwtutor.system import child, processes, transport


def supervise_cold(fd: int) -> NoReturn:
    """Be a supervisor in an interpreter of its own; the order comes over ``fd``."""
    owner = socket.socket(fileno=fd)
    order, _ = transport.receive(owner)
    supervise(owner, order, keep=())


def supervise(owner: socket.socket, order: dict[str, Any], keep: Collection[int]) -> NoReturn:
    """Be the supervisor of one run, from its start to its end; does not return.

    Args:
        owner: the connection whose end-of-file means that nobody wants the run any more.
        order: the :class:`RunSpec` and the :class:`ProcessContext` of the tasks, as JSON.
        keep: descriptors that forked tasks need.
    """
    code = 1
    try:
        run = RunSpec.from_json(order["run"])
        _leave_a_guard(run, order["control"], owner)
        os.setsid()
        child.set_title(f"mwtutor supervisor of {run.name}")
        try:
            life.hold(run)
            supervisor = Supervisor(run, child.ProcessContext.from_json(order["context"]), owner)
            supervisor.start(order["control"], keep)
        except MwtutorError as error:
            transport.send(owner, {"problem": error.problem, "remedy": error.remedy})
            raise
        except Exception as error:
            with contextlib.suppress(OSError):
                os.unlink(order["control"])
            transport.send(owner, {"error": said(error)})
            raise
        transport.send(owner, {"started": os.getpid()})
        supervisor.watch()
        code = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        processes.kill_children()
        os._exit(code)


def _leave_a_guard(run: RunSpec, control: str, owner: socket.socket) -> None:
    """Become the guard, and go on in a child."""
    with contextlib.suppress(PermissionError):  # it leads its session already
        os.setsid()
    child.set_title(f"mwtutor guard of {run.name}")
    processes.become_subreaper()
    supervisor = os.fork()
    if not supervisor:
        return
    try:
        owner.close()  # it is the supervisor's end that the kernel is to see
        child.reset_signals()
        os.waitpid(supervisor, 0)
        processes.kill_children()
        Path(control).unlink(missing_ok=True)
        run.clear_elsewhere()
    finally:
        os._exit(0)
