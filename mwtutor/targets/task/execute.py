"""Become the task that the environment variables describe: ``mwtutor exec``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from mwtutor.exceptions import BadInput
from mwtutor.run.request import keras_choice
from mwtutor.run.request.options import LaunchRequest
from mwtutor.sanitize import whole_number
from mwtutor.system import child
from mwtutor.system.variables import ATTEMPT
from mwtutor.targets.task import resolve, schedulers
from mwtutor.targets.task.schedulers import Shape, Surroundings
from mwtutor.worker.patches.communication import CHOICE_ENV

#: Seconds that the names of all tasks may take to resolve, because nodes may still be starting.
PATIENCE = 600.0


@dataclass(frozen=True)
class Order:
    """The program to execute, and the task to become.

    Attributes:
        request: the program, and the options that apply to a single task.
        shape: how the tasks of the cluster are divided, unless the environment determines that.
        timeout: seconds to wait for the other tasks' names; 0 waits forever.
    """

    request: LaunchRequest
    shape: Shape
    timeout: float = PATIENCE


def become(order: Order, say: Callable[[str], None]) -> NoReturn:
    """Replace this process with the program, as a task of the existing cluster.

    Its exit status and its reaction to signals are then the program's.

    Raises:
        BadInput: the program or the cluster is missing, a name does not resolve, or a variable of
            the scheduler is invalid.
        NotSupported: this TensorFlow does not have the requested Keras.
    """
    request = order.request
    script = request.executes.read(os.getcwd())
    keras = keras_choice.choose(request, script)
    found = schedulers.find(order.shape, os.environ)
    resolve.wait(found.cluster, order.timeout, say)
    env = {**_attempt(), **os.environ, **keras.env, **_comm(request), "TF_CONFIG": found.tf_config}
    say(f"{found.task} of {_words(found)}, by {found.source}")
    program = request.executes
    args = program.args_of(found.task, found.cluster)
    command = [sys.executable, str(child.ENTRY), "exec", program.kind, program.target, *args]
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        os.execve(sys.executable, command, env)
    except OSError as error:
        raise BadInput(
            f"{sys.executable} cannot be executed: {error.strerror}.", "Check the installation."
        ) from None


def _attempt() -> dict[str, str]:
    """Which attempt this is, if the scheduler counts them."""
    text = os.environ.get("JOBSET_RESTART_ATTEMPT", "")
    before = whole_number(text)
    if text and before is None:
        raise BadInput(
            f"JOBSET_RESTART_ATTEMPT is {text!r}, not a whole number.",
            "Correct it, or unset it: a JobSet counts its restarts in this variable.",
        )
    return {} if before is None else {ATTEMPT: str(before + 1)}


def _comm(request: LaunchRequest) -> dict[str, str]:
    return {} if request.comm == "auto" else {CHOICE_ENV: request.comm}


def _words(found: Surroundings) -> str:
    tasks = sum(1 for _ in found.cluster.tasks())
    return f"{tasks} task{'s' * (tasks != 1)}"
