"""A launch request, as a value. Each of its fields is an option: one row."""

from __future__ import annotations

import errno
import os
import re
import shlex
import stat
import sys
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass, field, replace
from typing import Any, Literal, get_args

from mwtutor.cluster import ClusterSize
from mwtutor.devices.placement import Wish
from mwtutor.devices.requirements import horovod_python
from mwtutor.exceptions import BadInput
from mwtutor.network import NetworkChoice
from mwtutor.network.machines import MOST
from mwtutor.run.record.paths import working_directory
from mwtutor.run.request import horovod, jax
from mwtutor.run.request.capacity import check_capacity
from mwtutor.run.request.option_kinds import (
    ENGINES,
    EVERYWHERE,
    FILES,
    Choice,
    Count,
    CountOrEach,
    FilePath,
    Flag,
    LinkSpeed,
    PluginName,
    Seconds,
    Size,
    TaskWords,
    Text,
    Variables,
    Words,
    WorkerRange,
    option,
    requested_rows,
    required,
    rows,
)
from mwtutor.run.request.program import Program, ProgramKind
from mwtutor.system import plugins
from mwtutor.system.processors_and_memory import limits
from mwtutor.system.variables import LEDGER
from mwtutor.worker.predefined_names import PARTITION_ENV

KerasChoice = Literal["auto", "2", "3"]
CommChoice = Literal["auto", "ring", "nccl"]
WithChoice = Literal["tensorflow", "horovod", "jax"]

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_NAME_REMEDY = "Use at most 64 letters, digits, '.', '_' and '-', not beginning with '.' or '-'."

_ONLY_LAUNCH = ("launch",)

#: Where options for this machine have an effect, and where options for TensorFlow's clusters do.
_HERE = frozenset(["local", "horovod", "jax"])
_TENSORFLOW = EVERYWHERE - {"horovod", "jax"}


@dataclass(frozen=True)
class LaunchRequest:
    """A launch: a program, the size of its cluster, and the options.

    Each option, its valid values, its help, and the commands that have it are defined only here;
    the code that reads the field gives it its effect. Every value in a request is of the right
    kind.

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
        where=EVERYWHERE,
    )
    args: Sequence[str] = option(
        (),
        Words(),
        "the program's own arguments",
        verbs=_ONLY_LAUNCH,
        label="args",
        where=EVERYWHERE,
    )
    _: KW_ONLY
    args_per_task: str = option(
        "",
        TaskWords(),
        "arguments that differ from task to task, added after the program's own:"
        " '--index {index} --role {type}' gives each task its own index and type; {chief}, {worker}"
        " and {ps} become the addresses of those tasks, separated by commas",
        verbs=_ONLY_LAUNCH,
        where=EVERYWHERE,
    )
    module: bool = option(
        False,
        Flag(),
        "run the program as ``python -m`` does",
        verbs=_ONLY_LAUNCH,
        label="module",
        where=EVERYWHERE,
    )
    chief: bool = option(False, Flag(), "add a chief", where=_TENSORFLOW)
    ps: int = option(
        0,
        Count(),
        "number of parameter servers; a session that has any needs a chief, on which its cells run",
        where=_TENSORFLOW,
    )
    partition: int = option(
        0,
        Size(),
        "spread each variable over the parameter servers, in parts of at least this many bytes"
        " (default: variables are not split)",
        verbs=("start",),
        refusals={
            "launch": (
                "@mw_launch has no --partition: a program creates its own strategy.",
                "Give the strategy a variable_partitioner, as a script written by %mw_export does.",
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
                "A session has no evaluator: evaluators wait for checkpoints and execute no cells.",
                "Evaluate in a cell, or launch a script: @mw_launch 2 main.py --evaluator.",
            )
        },
        where=_TENSORFLOW,
    )
    name: str = option(
        "",
        Text(_NAME_REMEDY, "NAME"),
        "the run's name (default: the script's stem, or session); a run of the same name is stopped"
        " first if it was launched here, but never if it was launched elsewhere",
        where=EVERYWHERE,
    )
    cwd: str = option(
        "",
        FilePath("DIR"),
        "working directory of the tasks (default: the current one)",
        where=EVERYWHERE,
    )
    env: Mapping[str, str] | None = option(
        None, Variables(), "environment variables to set in the tasks", where=EVERYWHERE
    )
    keras: KerasChoice = option(
        "auto",
        Choice(get_args(KerasChoice)),
        "which Keras tf.keras refers to; auto (the default) leaves it to TensorFlow, but chooses"
        " Keras 2 for a program that uses the Estimator, or a name that only Keras 2 has",
        where=_TENSORFLOW,
    )
    threads: int = option(
        0,
        Count(),
        "threads TensorFlow uses in each task (default: 0, which leaves it to TensorFlow)",
        where=EVERYWHERE - {"jax"},
    )
    python: str = option(
        "",
        FilePath(),
        "another interpreter; the tasks are then plain processes",
        verbs=_ONLY_LAUNCH,
        where=EVERYWHERE,
    )
    cold: bool = option(
        False, Flag(), "start plain processes instead of forking a warm one", where=EVERYWHERE
    )
    no_ledger: bool = option(
        False,
        Flag(),
        "do not record the tasks' exchanges; see @mw_exchanges",
        where=ENGINES,
    )
    timeout: float = option(
        0.0,
        Seconds(),
        "seconds after which the run is stopped (default: 0, which means never)",
        verbs=_ONLY_LAUNCH,
        where=EVERYWHERE - {"skypilot file"},
    )
    grace: float = option(
        0.0,
        Seconds(),
        "seconds between SIGTERM and SIGKILL when a task is stopped (default: 0, which means"
        " SIGKILL alone)",
        verbs=_ONLY_LAUNCH,
        where=EVERYWHERE - {"skypilot file", "slurm file"},
    )
    network: NetworkChoice = option(
        "auto",
        Choice(get_args(NetworkChoice)),
        "private: nobody outside the run can reach its ports, and web traffic goes out through a"
        " relay; host: the machine's own network, where anyone who can reach the machine can run"
        " code in the tasks; auto (the default): private where possible; the status shows which",
        where=_HERE,
    )
    machines: int | bool = option(
        0,
        CountOrEach(
            remedy="Write --machines after the program, with a number of machines, or alone for one"
            " per task: 4 main.py --machines."
        ),
        "simulate a machine for each task, or N for all of them: each has its own network, host"
        " name (machine-0) and address, and a switch joins them; see --link and @mw_unplug",
        where=_HERE,
    )
    link: str = option(
        "",
        LinkSpeed(),
        "speed of each machine's link in each direction, for example 1gbit, and its delay if this"
        " kernel can add one: 10gbit,0.2ms (default: no limit)",
        where=_HERE,
    )
    restarts: int = option(
        0,
        Count(),
        "restarts allowed for a failed cluster, on the same addresses (default: 0);"
        " MWTUTOR_ATTEMPT (1, 2 ...) tells a task which attempt it is; a worker that a chief drives"
        " is restarted alone, and the run continues; three failed attempts in a row without"
        " progress end the run; in a session with parameter servers, only workers are restarted",
        where=EVERYWHERE - {"kubernetes file"},
    )
    elastic: str = option(
        "",
        WorkerRange(),
        "continue with fewer workers, but at least MIN, if a worker is killed and no restart is"
        " left, or if its machine is unplugged: the cluster is restarted without it; MAX is the"
        " number of workers launched, and the run never grows again (default: a lost worker ends"
        " the run)",
        verbs=_ONLY_LAUNCH,
        refusals={
            "start": (
                "A session cannot be elastic: a smaller cluster would start empty, without what the"
                " cells have defined.",
                "Leave out --elastic: %mw_restart starts fresh workers.",
            )
        },
    )
    gpus_per_worker: int | None = option(
        None,
        Count(none=True),
        "GPUs for the chief and each worker (default: divide those that CUDA_VISIBLE_DEVICES"
        " allows and no other run of this process or directory uses; 0: use the CPU)",
        where=_HERE | FILES,
    )
    share_gpus: bool = option(
        False,
        Flag(),
        "let workers, and runs, share GPUs if there are too few (memory grows as needed);"
        " otherwise, all workers use the CPU",
        where=_HERE - {"jax"},
    )
    evaluator_gpus: int = option(
        0,
        Count(),
        "GPUs for the evaluator (default: 0; parameter servers never have one)",
        verbs=_ONLY_LAUNCH,
        where=frozenset(["local", "jobset file"]),
    )
    comm: CommChoice = option(
        "auto",
        Choice(get_args(CommChoice)),
        "how a MultiWorkerMirroredStrategy created without communication_options sums gradients",
        where=_TENSORFLOW,
    )
    with_: WithChoice = option(
        "tensorflow",
        Choice(get_args(WithChoice)),
        "tensorflow (the default): each task finds its place in TF_CONFIG; horovod: each is a"
        " Horovod rank (rank 1 is worker:1), in an interpreter that has Horovod (--python; by"
        " default .venv-horovod/bin/python here or in a directory above); jax: each is a process of"
        " JAX, whose keras.distribution.initialize() finds the others",
        verbs=_ONLY_LAUNCH,
        label="--with",
        refusals={
            "start": (
                "A session uses TensorFlow's strategy, not Horovod or JAX.",
                "Write a script and launch it, as in @mw_launch 4 train.py --with horovod.",
            )
        },
        where=_HERE,
    )
    on: str = option(
        "local",
        PluginName(plugins.ENGINES),
        "where to start the tasks: local (the default): this machine; slurm: a job; ray: the Ray"
        " cluster at RAY_ADDRESS, or the one that this machine belongs to; with slurm and ray, the"
        " nodes must share this directory; ray:local: a new Ray cluster on this machine",
        verbs=_ONLY_LAUNCH,
        where=ENGINES | {"horovod", "jax"},
    )
    oversubscribe: bool = option(
        False,
        Flag(),
        "start more tasks than this machine has processors or memory for",
        where=_HERE | {"ray:local", "other"},
    )

    def __post_init__(self) -> None:
        for row in rows(LaunchRequest):
            object.__setattr__(self, row.name, row.check(getattr(self, row.name)))
        tasks = self.size.tasks  # rejects an impossible cluster immediately
        object.__setattr__(self, "machines", tasks if self.machines is True else int(self.machines))

    @property
    def size(self) -> ClusterSize:
        return ClusterSize(self.workers, self.chief, self.ps, self.evaluator)

    @property
    def least(self) -> int:
        """The smallest number of workers with which the run continues."""
        return int(self.elastic.partition(":")[0]) if self.elastic else self.workers

    @property
    def gpus(self) -> Wish:
        most = 1 if self.is_horovod else None  # the GPU of its local rank
        return Wish(self.gpus_per_worker, self.share_gpus, self.evaluator_gpus, most)

    @property
    def executes(self) -> Program:
        """The program of every task; the tasks of a session execute cells instead."""
        kind: ProgramKind = "module" if self.module else "script"
        per_task = tuple(shlex.split(self.args_per_task))
        return Program(kind, self.program, tuple(self.args), per_task)

    @property
    def interpreter(self) -> str:
        return self.python or sys.executable

    def task_env(self) -> dict[str, str]:
        """The variables that the options add to the environment of every task."""
        env = dict(self.env or {})
        if self.threads:
            env.setdefault("TF_NUM_INTRAOP_THREADS", str(self.threads))
            env.setdefault("TF_NUM_INTEROP_THREADS", str(self.threads))
        if self.no_ledger:
            env[LEDGER] = "0"
        if self.partition:
            env[PARTITION_ENV] = str(self.partition)
        return env

    def checked(self, verb: Literal["launch", "start"] = "launch") -> LaunchRequest:
        """The request with its defaults filled in, or the error that explains what is wrong.

        Args:
            verb: the purpose of the request: a program, or the cells of a session.

        Raises:
            BadInput: an option cannot be used here.
        """
        for row in rows(LaunchRequest):
            if verb not in row.verbs and getattr(self, row.name) != row.default:
                raise row.refuse(verb)
        if verb == "start":
            self._check_session()
        if "TF_CONFIG" in os.environ:
            raise BadInput(
                "TF_CONFIG is already set in this environment, but every task gets its own.",
                "Remove it first: del os.environ['TF_CONFIG'] here, or unset TF_CONFIG in a shell.",
            )
        self._check_machines()
        self._check_elastic()
        if self.with_ != "tensorflow":
            self._check_with()
        if self.on in ("local", "ray:local") and not self.oversubscribe:
            check_capacity(self.size.tasks, limits())
        stem = "session" if verb == "start" else self.executes.stem
        return replace(
            self,
            cwd=directory(self.cwd),
            name=_checked_name(self.name or name_from(stem)),
            python=_interpreter(self.python or (self.is_horovod and horovod_python()) or ""),
        )

    def _check_session(self) -> None:
        start = f"%mw_start {self.workers} --chief --ps {self.ps or 2}"
        if self.ps and not self.chief:
            raise BadInput(
                "A session with parameter servers needs a chief, on which its cells run.",
                f"Add one: {start}",
            )
        if self.partition and not self.ps:
            raise BadInput(
                "--partition spreads variables over parameter servers, but this session has none.",
                f"Leave it out, or add parameter servers: {start} --partition {self.partition}",
            )
        if self.restarts and not self.ps:
            raise BadInput(
                "--restarts is for sessions with parameter servers: in other sessions, every worker"
                " has what the cells have defined, and a new worker would start empty.",
                "Leave it out: %mw_restart starts fresh workers.",
            )

    def _check_machines(self) -> None:
        if self.link and not self.machines:
            raise BadInput(
                "--link sets the links of machines, but this run has none.",
                "Add --machines: each task then has its own machine.",
            )
        if self.machines > (tasks := self.size.tasks):
            raise BadInput(
                f"There are more machines ({self.machines}) than tasks ({tasks}).",
                "Write --machines without a number: each task then has its own.",
            )
        if self.machines > MOST:
            raise BadInput(
                f"{self.machines} machines are too many: one machine can simulate at most {MOST}.",
                f"Put several tasks on each: --machines {MOST}.",
            )
        if self.machines and self.network == "host":
            raise BadInput(
                "Machines have their own network, so --network cannot be host.",
                "Leave out --network host, or --machines.",
            )

    def _check_elastic(self) -> None:
        if not self.elastic:
            return
        if self.ps:
            raise BadInput(
                "--elastic has no effect with parameter servers, where a run continues without a"
                " lost worker.",
                "Leave it out; --restarts restarts a lost worker.",
            )
        if self.elastic != (fits := f"{self.least}:{self.workers}"):
            remedy = f"Write --elastic {fits}." if self.least < self.workers else ""
            raise BadInput(
                f"--elastic {self.elastic} does not fit a launch of {self.workers}"
                f" worker{'s' * (self.workers != 1)}: MAX must be the number of workers.",
                remedy or "Launch more workers, or leave out --elastic.",
            )

    @property
    def is_horovod(self) -> bool:
        """Whether the tasks are Horovod ranks."""
        return self.with_ == "horovod"

    @property
    def is_jax(self) -> bool:
        """Whether the tasks are processes of JAX."""
        return self.with_ == "jax"

    def _check_with(self) -> None:
        refused, tasks = horovod.REFUSED, "Horovod's ranks"
        if self.is_jax:
            refused, tasks = jax.REFUSED, "JAX's processes"
        for row in requested_rows(self):
            if self.with_ not in row.where:
                why = refused.get(row.name, f"it has no effect on {tasks}")
                raise BadInput(
                    f"--with {self.with_} cannot be combined with {row.label}: {why}.",
                    f"Leave out {row.label}.",
                )
        if self.is_horovod and (self.gpus_per_worker or 0) > 1:
            raise BadInput(
                f"--gpus-per-worker {self.gpus_per_worker} is not possible with Horovod: a rank"
                " uses only the GPU of its local rank.",
                "Start as many ranks as there are GPUs.",
            )

    def words(self, *without: str) -> str:
        """The options of a launch as a user would type them, except defaults and ``without``."""
        typed = [
            row.kind.words(row.label, value)
            for row in rows(LaunchRequest)
            if row.is_flag and "launch" in row.verbs and row.name not in without
            if (value := getattr(self, row.name)) not in (row.default, {})
        ]
        return " ".join(typed)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def directory(path: str) -> str:
    """The absolute path of an existing directory."""
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
    """The interpreter's absolute path, links unresolved, or its name, to look up on ``PATH``."""
    path = os.path.expanduser(path)
    return os.path.abspath(path) if os.sep in path else path


def is_name(text: str, longest: int = 64) -> bool:
    """Whether a run can have this name, which becomes part of a path."""
    return len(text) <= longest and _NAME.fullmatch(text) is not None


def _checked_name(name: str) -> str:
    if not is_name(name):
        raise BadInput(f"--name cannot be {name!r}.", _NAME_REMEDY)
    return name


def name_from(stem: str) -> str:
    """The name of a run, or of a job, that was not given one."""
    return re.sub(r"[^A-Za-z0-9_.-]|^[.-]", "_", stem)[:64] or "run"
