"""The process of a supervisor: forked from the fork server, or an interpreter of its own."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Collection
from typing import Any, NoReturn

from mwtutor import processes, transport
from mwtutor.exceptions import MwtutorError
from mwtutor.runspec import RunSpec
from mwtutor.supervisor import Supervisor
from mwtutor.worker import process


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
        with contextlib.suppress(PermissionError):
            os.setsid()
        run = RunSpec.from_json(order["run"])
        process.set_title(f"mwtutor supervisor of {run.name}")
        try:
            supervisor = Supervisor(run, process.ProcessContext.from_json(order["context"]), owner)
            supervisor.start(order["control"], keep)
        except MwtutorError as error:
            transport.send(owner, {"problem": error.problem, "remedy": error.remedy})
            raise
        except Exception as error:
            with contextlib.suppress(OSError):
                os.unlink(order["control"])
            transport.send(owner, {"error": f"{type(error).__name__}: {error}"})
            raise
        transport.send(owner, {"started": os.getpid()})
        supervisor.watch()
        code = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        processes.kill_children()
        os._exit(code)
