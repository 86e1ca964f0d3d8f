"""Which task of which cluster a process is, according to its environment variables.

Every scheduler identifies its tasks by its own variables. TensorFlow reads only ``TF_CONFIG``, so
these variables are converted to a ``TF_CONFIG``.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mwtutor.cluster import TASK_TYPES, ClusterSize, ClusterSpec, TaskId, parse_tf_config
from mwtutor.exceptions import BadCluster, BadInput
from mwtutor.run.request.option_kinds import Count, Flag, option, rows
from mwtutor.sanitize import whole_number
from mwtutor.targets.task import slurm_step

#: The port if every task has its own machine.
PORT = 2222

#: Names the headless service of pods, if their host name does not contain it.
SERVICE = "MWTUTOR_SERVICE"

_VERBS = ("exec",)


@dataclass(frozen=True)
class Shape:
    """How the tasks of a cluster are divided among types, unless the environment determines it.

    In the order of their numbers: the chief, the workers, the parameter servers, the evaluator.
    """

    workers: int = option(
        0,
        Count(),
        "number of workers, not counting the chief (default: 0, which means every task without"
        " another role); a plain Kubernetes Job does not provide it",
        verbs=_VERBS,
    )
    chief: bool = option(False, Flag(), "the first task is the chief", verbs=_VERBS)
    ps: int = option(
        0, Count(), "the last tasks, except the evaluator, are parameter servers", verbs=_VERBS
    )
    evaluator: bool = option(False, Flag(), "the last task is the evaluator", verbs=_VERBS)
    port: int = option(
        0,
        Count(),
        "port of the first task on each machine; other tasks get the next ports (default: 0, which"
        " means 2222 if every task has its own machine, or, in Slurm, a port derived from the"
        " number of the step)",
        verbs=_VERBS,
    )

    def __post_init__(self) -> None:
        for row in rows(Shape):
            object.__setattr__(self, row.name, row.check(getattr(self, row.name)))
        if self.port > 65535:
            raise BadInput(f"--port cannot be {self.port}.", "Write a number from 1 to 65535.")

    def size(self, tasks: int, source: str) -> ClusterSize:
        """The number of tasks of each type, given the total number.

        Raises:
            BadCluster: they cannot be divided this way.
        """
        others = self.chief + self.ps + self.evaluator
        workers = self.workers or tasks - others
        if workers + others != tasks or workers < 1:
            words = f"{self.workers or 'at least 1'} workers and {others} others"
            raise BadCluster(
                f"{_begins(source)} has {tasks} task{'s' * (tasks != 1)}, but {words} were"
                " requested.",
                "Start as many as requested, or correct --workers, --chief, --ps and --evaluator.",
            )
        return ClusterSize(workers, self.chief, self.ps, self.evaluator)


@dataclass(frozen=True)
class Surroundings:
    """Which task of which cluster a process is.

    Attributes:
        cluster: the tasks and their addresses.
        task: this process's task among them.
        source: the source of this information, in words.
        tf_config: the value of ``TF_CONFIG`` for TensorFlow.
    """

    cluster: ClusterSpec
    task: TaskId
    source: str
    tf_config: str


def cluster_from_env(
    workers: int = 0, *, chief: bool = False, ps: int = 0, evaluator: bool = False, port: int = 0
) -> Surroundings:
    """Find out which task this process is, from the variables of the scheduler that started it.

    This function tries these sources, in this order: an existing ``TF_CONFIG``, SkyPilot, dstack, a
    JobSet, a Kubernetes Indexed Job, Slurm. In Python, execute ``os.environ["TF_CONFIG"] =
    cluster_from_env().tf_config`` before TensorFlow is imported.

    Args:
        workers: the number of workers; 0 for every task without another role.
        chief: whether the first task is the chief.
        ps: the number of parameter servers among the last tasks.
        evaluator: whether the last task is the evaluator.
        port: the port of the first task on each machine; 0 chooses one.

    Raises:
        BadCluster: nothing was found, or what was found is not a cluster.
        BadInput: an argument cannot be used.
    """
    return find(Shape(workers, chief, ps, evaluator, port), os.environ)


def find(shape: Shape, env: Mapping[str, str]) -> Surroundings:
    """See :func:`cluster_from_env`."""
    for variables, reader in _READERS:
        if all(env.get(name) for name in variables):
            return reader(shape, env)
    looked = "; ".join(" and ".join(variables) for variables, _ in _READERS)
    raise BadCluster(
        f"No environment variable says which task of which cluster this is; looked for: {looked}.",
        "On this machine only: mwtutor launch 2 main.py. Elsewhere: set TF_CONFIG, or start the"
        " program as a task of Slurm (with srun), of an Indexed Job or JobSet, of SkyPilot or of"
        " dstack.",
    )


def _tf_config(shape: Shape, env: Mapping[str, str]) -> Surroundings:
    text = env["TF_CONFIG"]
    cluster, task = parse_tf_config(text)
    if shape != Shape():
        raise BadInput(
            "TF_CONFIG is set, and already says which task this is.",
            "Leave out --workers, --chief, --ps, --evaluator and --port, or unset TF_CONFIG.",
        )
    return Surroundings(cluster, task, "TF_CONFIG", text)


def _slurm(shape: Shape, env: Mapping[str, str]) -> Surroundings:
    step = slurm_step.read(env, shape.port)
    return _numbered(shape, f"Slurm's {step.name}", step.rank, step.addresses)


def _nodes(source: str, prefix: str, number: str, addresses: str) -> _Reader:
    """A reader for schedulers that give each task its node's number and all addresses."""

    def read(shape: Shape, env: Mapping[str, str]) -> Surroundings:
        rank = _rank(env, prefix + number)
        hosts = env[prefix + addresses].replace("\\n", "\n").split()
        port = shape.port or PORT
        return _numbered(shape, source, rank, [f"{_bracketed(host)}:{port}" for host in hosts])

    return read


def _indexed_job(shape: Shape, env: Mapping[str, str]) -> Surroundings:
    rank = _rank(env, "JOB_COMPLETION_INDEX")
    if not shape.workers:
        raise BadCluster(
            f"This is task {rank} of a Kubernetes Job, which does not say how many tasks it has.",
            "Pass the number: mwtutor exec --workers 4 main.py.",
        )
    host = env.get("HOSTNAME") or socket.gethostname()
    name, _, own = host.partition(".")[0].rpartition("-")
    if own != str(rank):
        raise BadCluster(
            f"The host name of task {rank} of this Kubernetes Job is {host!r}, which does not end"
            f" in -{rank}.",
            "Set completionMode: Indexed in the Job, and do not set a hostname for its pods.",
        )
    tasks = shape.workers + shape.chief + shape.ps + shape.evaluator
    hosts = [f"{name}-{index}.{_service(env)}" for index in range(tasks)]
    port = shape.port or PORT
    return _numbered(shape, "the Kubernetes Job", rank, [f"{host}:{port}" for host in hosts])


def _jobset(shape: Shape, env: Mapping[str, str]) -> Surroundings:
    role, index = env["REPLICATED_JOB_NAME"], _rank(env, "JOB_COMPLETION_INDEX")
    if role not in TASK_TYPES:
        raise BadCluster(
            f"The job name {role!r} of this JobSet is not a task type.",
            f"Use the job names {', '.join(TASK_TYPES)}, each with one replica.",
        )
    if not shape.workers:
        raise BadCluster(
            "A JobSet does not tell its pods how many pods each job has.",
            "State the numbers: mwtutor exec --workers 4 main.py, with --chief, --ps and"
            " --evaluator.",
        )
    name, port = env["JOBSET_NAME"], shape.port or PORT
    service = env.get(SERVICE) or name
    count = {"chief": shape.chief, "worker": shape.workers, "ps": shape.ps}
    count["evaluator"] = shape.evaluator
    cluster = ClusterSpec.of(
        {
            job: [f"{name}-{job}-0-{number}.{service}:{port}" for number in range(count[job])]
            for job in TASK_TYPES
        }
    )
    task = TaskId(role, index)
    if task not in set(cluster.tasks()):
        raise BadCluster(
            f"This is {task} of the JobSet {name}, which has no such task according to the"
            " options.",
            "Make --workers, --chief, --ps and --evaluator match the JobSet.",
        )
    return Surroundings(cluster, task, f"the JobSet {name}", cluster.tf_config(task))


def _numbered(shape: Shape, source: str, rank: int, addresses: Sequence[str]) -> Surroundings:
    cluster = shape.size(len(addresses), source).at(addresses)
    tasks = list(cluster.tasks())
    if rank >= len(tasks):
        raise BadCluster(
            f"{_begins(source)} says that this is task {rank}, but there are only {len(tasks)},"
            " numbered from 0.",
            "Check the variables that it sets, with env.",
        )
    return Surroundings(cluster, tasks[rank], source, cluster.tf_config(tasks[rank]))


def _rank(env: Mapping[str, str], name: str) -> int:
    number = whole_number(env[name], digits=6)
    if number is None:
        raise BadCluster(f"{name} is {env[name]!r}, not a whole number.", f"Correct {name}.")
    return number


def _service(env: Mapping[str, str]) -> str:
    """The domain in which the pods of a Job find each other."""
    if service := env.get(SERVICE):
        return service
    _, _, domain = socket.getfqdn().partition(".")
    if not domain:
        raise BadCluster(
            "The pods of this Kubernetes Job have no names that other pods can look up.",
            "Give them a subdomain, and a headless service of that name, as mwtutor export does;"
            f" or set {SERVICE} to its name.",
        )
    return domain


def _begins(text: str) -> str:
    """The text, capitalized to begin a sentence."""
    return text[:1].upper() + text[1:]


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


_Reader = Callable[[Shape, Mapping[str, str]], Surroundings]

#: The variables of each scheduler, all of which must be set, and the function that reads them.
_READERS: tuple[tuple[tuple[str, ...], _Reader], ...] = (
    (("TF_CONFIG",), _tf_config),
    (
        ("SKYPILOT_NODE_RANK", "SKYPILOT_NODE_IPS"),
        _nodes("SkyPilot", "SKYPILOT_", "NODE_RANK", "NODE_IPS"),
    ),
    (
        ("DSTACK_NODE_RANK", "DSTACK_NODES_IPS"),
        _nodes("dstack", "DSTACK_", "NODE_RANK", "NODES_IPS"),
    ),
    (("JOBSET_NAME", "REPLICATED_JOB_NAME", "JOB_COMPLETION_INDEX"), _jobset),
    (("JOB_COMPLETION_INDEX",), _indexed_job),
    (("SLURM_JOB_ID",), _slurm),
)
