"""A launch request, as a value. Each of its fields is an option: one row."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass, field, replace
from typing import Any, Literal, get_args

from mwtutor.cluster import ClusterSize
from mwtutor.devices.placement import Wish
from mwtutor.exceptions import BadInput
from mwtutor.network import NetworkChoice
from mwtutor.run.capacity import Capacity
from mwtutor.run.option_kinds import (
    Choice,
    Count,
    FilePath,
    Flag,
    Seconds,
    Text,
    Variables,
    Words,
    option,
    required,
    rows,
)
from mwtutor.run.program import Program
from mwtutor.run.store import working_directory

KerasChoice = Literal["auto", "2", "3"]
CommChoice = Literal["auto", "ring", "nccl"]
EngineChoice = Literal["local", "slurm"]

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")
_NAME_REMEDY = "Use at most 64 letters, digits, '.', '_' and '-'."

_ONLY_LAUNCH = ("launch",)


@dataclass(frozen=True)
class LaunchRequest:
    """A launch: a program, the size of its cluster, and the options.

    What an option is, what counts as a value, its help, and which verbs have it, stands here and
    nowhere else; its effect is where the field is used. A request that exists has values of the
    right kinds.

    Raises:
        BadInput: a value cannot be used.
    """

    program: str = field(
        metadata=required(
            FilePath(), "path of a script, or with ``module`` the name of a module", "The program"
        )
    )
    workers: int = option(
        2,
        Count(remedy="Write a whole number, for example 2."),
        "number of workers, not counting the chief",
        label="The number of workers",
    )
    args: Sequence[str] = option(
        (), Words(), "the program's own arguments", verbs=_ONLY_LAUNCH, label="args"
    )
    _: KW_ONLY
    module: bool = option(
        False, Flag(), "run the program as ``python -m`` does", verbs=_ONLY_LAUNCH, label="module"
    )
    chief: bool = option(False, Flag(), "add a chief")
    ps: int = option(
        0,
        Count(),
        "number of parameter servers",
        verbs=_ONLY_LAUNCH,
        refusals={
            "start": (
                "A session has no parameter servers: they wait in server.join() and execute no"
                " cells.",
                "Write a script and launch it: %mw_launch 2 main.py --chief --ps 1.",
            )
        },
    )
    evaluator: bool = option(
        False,
        Flag(),
        "add an evaluator, outside the cluster",
        verbs=_ONLY_LAUNCH,
        refusals={
            "start": (
                "A session has no evaluator: it would wait for checkpoints and execute no cells.",
                "Evaluate in a cell, or launch a script: %mw_launch 2 main.py --evaluator.",
            )
        },
    )
    name: str = option(
        "",
        Text(_NAME_REMEDY, "NAME"),
        "how to address the run (default: the script's stem, or session); a run of the same name"
        " that was launched here is stopped first, one that was launched elsewhere never",
    )
    cwd: str = option(
        "", FilePath("DIR"), "working directory of the tasks (default: the current one)"
    )
    env: Mapping[str, str] | None = option(
        None, Variables(), "variables to set in the environment of the tasks"
    )
    keras: KerasChoice = option(
        "auto",
        Choice(get_args(KerasChoice)),
        "which Keras tf.keras is; auto (the default) leaves it to TensorFlow, and chooses Keras 2"
        " for a program that uses the Estimator",
    )
    threads: int = option(
        0,
        Count(),
        "threads TensorFlow uses in each task (default: 0, which leaves it to TensorFlow)",
    )
    python: str = option(
        "",
        FilePath(),
        "another interpreter; its tasks are plain processes",
        verbs=_ONLY_LAUNCH,
    )
    cold: bool = option(False, Flag(), "start plain processes instead of forking a warm one")
    timeout: float = option(
        0.0,
        Seconds(),
        "seconds after which the run is stopped (default: 0, which means never)",
        verbs=_ONLY_LAUNCH,
    )
    grace: float = option(
        0.0,
        Seconds(),
        "seconds between SIGTERM and SIGKILL when a task is stopped (default: 0, which means"
        " SIGKILL alone)",
        verbs=_ONLY_LAUNCH,
    )
    network: NetworkChoice = option(
        "auto",
        Choice(get_args(NetworkChoice)),
        "private: nobody outside the run can reach its ports, and web traffic goes out through a"
        " relay; host: the machine's own network, where whoever can reach the machine can run code"
        " in the tasks; auto (the default): private where that works, and the status says so",
    )
    restarts: int = option(
        0,
        Count(),
        "how often a failed cluster is restarted, on the same addresses (default: 0);"
        " MWTUTOR_ATTEMPT (1, 2 ...) tells a task which attempt it is; a worker that a chief drives"
        " is restarted alone, and the run goes on; three failed attempts in a row that get no"
        " further end the run",
        verbs=_ONLY_LAUNCH,
    )
    gpus_per_worker: int | None = option(
        None,
        Count(none=True),
        "GPUs for each chief and worker (default: divide those that CUDA_VISIBLE_DEVICES allows and"
        " no other run of this process or directory uses; 0: use the CPU)",
    )
    share_gpus: bool = option(
        False,
        Flag(),
        "let workers, and runs, share GPUs if there are too few (memory grows as needed); without"
        " it all of them use the CPU",
    )
    evaluator_gpus: int = option(
        0,
        Count(),
        "GPUs for the evaluator (default: 0; parameter servers never have one)",
        verbs=_ONLY_LAUNCH,
    )
    comm: CommChoice = option(
        "auto",
        Choice(get_args(CommChoice)),
        "how a MultiWorkerMirroredStrategy made without communication_options adds up gradients",
    )
    on: EngineChoice = option(
        "local",
        Choice(get_args(EngineChoice)),
        "where the tasks are started: local (the default) is this machine; slurm submits a job,"
        " whose nodes must see this directory",
        verbs=_ONLY_LAUNCH,
    )
    oversubscribe: bool = option(
        False, Flag(), "start more tasks than this machine has processors or memory for"
    )

    def __post_init__(self) -> None:
        for row in rows(LaunchRequest):
            object.__setattr__(self, row.name, row.check(getattr(self, row.name)))
        _ = self.size  # a cluster that cannot be is said at once

    @property
    def size(self) -> ClusterSize:
        return ClusterSize(self.workers, self.chief, self.ps, self.evaluator)

    @property
    def gpus(self) -> Wish:
        return Wish(self.gpus_per_worker, self.share_gpus, self.evaluator_gpus)

    @property
    def executes(self) -> Program:
        """What every task executes; a session's tasks execute cells instead."""
        return Program("module" if self.module else "script", self.program, tuple(self.args))

    @property
    def interpreter(self) -> str:
        return self.python or sys.executable

    def task_env(self) -> dict[str, str]:
        """What the options add to the environment of every task."""
        env = dict(self.env or {})
        if self.threads:
            env.setdefault("TF_NUM_INTRAOP_THREADS", str(self.threads))
            env.setdefault("TF_NUM_INTEROP_THREADS", str(self.threads))
        return env

    def checked(self, verb: Literal["launch", "start"] = "launch") -> LaunchRequest:
        """The request with its defaults filled in, or the error that says what is wrong.

        Args:
            verb: what it is for: a program, or the cells of a session.

        Raises:
            BadInput: an option that cannot be used here.
        """
        for row in rows(LaunchRequest):
            if verb not in row.verbs and getattr(self, row.name) != row.default:
                raise row.refuse(verb)
        if "TF_CONFIG" in os.environ:
            raise BadInput(
                "TF_CONFIG is already set in this environment, but every task gets its own.",
                "Remove it first: del os.environ['TF_CONFIG'] here, or unset TF_CONFIG in a shell.",
            )
        if self.on == "local" and not self.oversubscribe:
            Capacity.here().check(self.size.tasks)
        stem = "session" if verb == "start" else self.executes.stem
        return replace(
            self,
            cwd=directory(self.cwd),
            name=_checked_name(self.name or _name_from(stem)),
            python=_interpreter(self.python),
        )

    def words(self, *without: str) -> str:
        """The options as they are typed, but for the defaults and those named."""
        typed = [
            row.kind.words(row.label, value)
            for row in rows(LaunchRequest)
            if row.is_flag and row.name not in without
            if (value := getattr(self, row.name)) not in (row.default, {})
        ]
        return " ".join(typed)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def directory(path: str) -> str:
    """An existing directory by its absolute path."""
    path = os.path.expanduser(path)
    if not os.path.isabs(path):
        path = os.path.normpath(working_directory() / path)
    try:
        there = stat.S_ISDIR(os.stat(path).st_mode)
        closed = "" if not there or os.access(path, os.X_OK) else os.strerror(errno.EACCES)
    except (FileNotFoundError, NotADirectoryError):
        there, closed = False, ""
    except OSError as error:
        there, closed = True, str(error.strerror)
    if not there:
        raise BadInput(f"There is no directory {path}.", "Correct --cwd.")
    if closed:
        raise BadInput(
            f"The directory {path} cannot be entered: {closed}.",
            "Correct --cwd, or ask its owner for access.",
        )
    return path


def _interpreter(path: str) -> str:
    """By its absolute path, unless it is to be found on the ``PATH``; links are not followed."""
    path = os.path.expanduser(path)
    return os.path.abspath(path) if os.sep in path else path


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise BadInput(f"--name cannot be {name!r}.", _NAME_REMEDY)
    return name


def _name_from(stem: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]", "_", stem)[:64] or "run"
