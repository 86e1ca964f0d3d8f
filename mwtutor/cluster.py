"""Clusters as values (jobs, tasks, addresses), converted to and from ``TF_CONFIG``. No I/O.

The terms and the JSON format are TensorFlow's; see ``tf.train.ClusterSpec`` and
``tf.distribute.cluster_resolver.TFConfigClusterResolver``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from mwtutor.exceptions import BadCluster
from mwtutor.sanitize import whole_number

TaskType = Literal["chief", "worker", "ps", "evaluator"]

#: The task types, in TensorFlow's usual order.
TASK_TYPES: tuple[TaskType, ...] = ("chief", "worker", "ps", "evaluator")

_ADDRESS = re.compile(r"(?P<host>[^\s:/]+|\[[0-9a-fA-F:.]+\]):(?P<port>[0-9]{1,5})")


@dataclass(frozen=True, order=True)
class TaskId:
    """One process of a cluster, written ``worker:1``."""

    type: TaskType
    index: int

    def __str__(self) -> str:
        return f"{self.type}:{self.index}"

    @property
    def trains(self) -> bool:
        """Whether this task computes gradients, as a chief or a worker."""
        return self.type in ("chief", "worker")

    @property
    def place(self) -> tuple[int, int]:
        """A key that sorts tasks in the order of :data:`TASK_TYPES`."""
        return TASK_TYPES.index(self.type), self.index

    @classmethod
    def parse(cls, text: str) -> TaskId:
        """Read ``worker:1``; ``chief`` alone means ``chief:0``.

        Raises:
            BadCluster: the text names no task type, or its index is not a whole number.
        """
        is_text = isinstance(text, str)
        kind, colon, index = text.strip().partition(":") if is_text else ("", "", "")
        if kind not in TASK_TYPES:
            raise BadCluster(
                f"{text!r} is not a task: the task types are {', '.join(TASK_TYPES)}.",
                "Write a type and an index, for example worker:1.",
            )
        number = whole_number(index if colon else "0", digits=6)
        if number is None:
            raise BadCluster(
                f"{text!r} is not a task: its index is not a whole number.",
                f"Write a type and an index, for example {kind}:0.",
            )
        return cls(kind, number)


@dataclass(frozen=True)
class ClusterSpec:
    """Jobs and the addresses of their tasks, in the order of :data:`TASK_TYPES`.

    The evaluator is a job of a run, but not of the cluster that its peers see: it reads checkpoints
    and never communicates with them.
    """

    chief: tuple[str, ...] = ()
    worker: tuple[str, ...] = ()
    ps: tuple[str, ...] = ()
    evaluator: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for job in ("chief", "evaluator"):
            if len(self.addresses(job)) > 1:
                raise BadCluster(
                    f"A cluster has at most one {job}, not {len(self.addresses(job))}.",
                    f"Give one {job}, and as many workers as you like.",
                )
        if not self.chief and not self.worker:
            raise BadCluster("A cluster needs a worker or a chief.", "Request at least one worker.")
        seen: dict[str, str] = {}
        for task in self.tasks():
            address = self.address(task)
            check_address(address, str(task))
            if address in seen:
                raise BadCluster(
                    f"{seen[address]} and {task} have the same address, {address}.",
                    "Give every task its own address.",
                )
            seen[address] = str(task)

    @classmethod
    def of(cls, jobs: Mapping[str, Sequence[str]]) -> ClusterSpec:
        """A cluster from a mapping of job names to addresses.

        Raises:
            BadCluster: an unknown job, or addresses that are not ``host:port``.
        """
        for job in jobs:
            if job not in TASK_TYPES:
                raise BadCluster(
                    f"{job!r} is not a job: the jobs are {', '.join(TASK_TYPES)}.",
                    "Rename the job, or leave it out.",
                )
        return cls(**{job: tuple(addresses) for job, addresses in jobs.items()})

    def addresses(self, job: str) -> tuple[str, ...]:
        return cast("tuple[str, ...]", getattr(self, job))

    def address(self, task: TaskId) -> str:
        return self.addresses(task.type)[task.index]

    def tasks(self) -> Iterator[TaskId]:
        for job in TASK_TYPES:
            for index in range(len(self.addresses(job))):
                yield TaskId(job, index)

    def peers(self) -> Iterator[TaskId]:
        """The tasks that communicate with each other: all but the evaluator."""
        return (task for task in self.tasks() if task.type != "evaluator")

    @property
    def trainers(self) -> tuple[TaskId, ...]:
        """The tasks that compute gradients: the chief and the workers."""
        return tuple(task for task in self.tasks() if task.trains)

    @property
    def deciders(self) -> tuple[TaskId, ...]:
        """The tasks whose exit ends the run: the chief if there is one, else the workers."""
        return tuple(task for task in self.trainers if not self.chief or task.type == "chief")

    @property
    def driven(self) -> tuple[TaskId, ...]:
        """The workers that serve a chief's coordinator, if its program creates one.

        There are none without a chief and parameter servers. Once a worker serves, the run can
        continue without it; before that, it may be an Estimator's worker, which trains.
        """
        return tuple(t for t in self.trainers if self.chief and self.ps and t.type == "worker")

    def without(self, workers: Collection[TaskId]) -> ClusterSpec:
        """The cluster without these workers; later workers move up and keep their addresses."""
        kept = (task for task in self.tasks() if task.type == "worker" and task not in workers)
        return replace(self, worker=tuple(map(self.address, kept)))

    def at(self, address: str) -> TaskId:
        """The task that has this address.

        Raises:
            KeyError: no task has it.
        """
        for task in self.tasks():
            if self.address(task) == address:
                return task
        raise KeyError(address)

    def jobs(self) -> dict[str, list[str]]:
        """The input of ``tf.train.ClusterSpec``: jobs that have tasks, without the evaluator."""
        return {
            job: list(self.addresses(job))
            for job in TASK_TYPES
            if job != "evaluator" and self.addresses(job)
        }

    def tf_config(self, task: TaskId) -> str:
        """The JSON that this task finds in its ``TF_CONFIG``.

        An evaluator's ``TF_CONFIG`` lists the evaluator, because a strategy created there looks up
        its own address. The ``TF_CONFIG`` of its peers does not.
        """
        jobs = self.jobs()
        if task.type == "evaluator":
            jobs["evaluator"] = list(self.evaluator)
        return json.dumps({"cluster": jobs, "task": {"type": task.type, "index": task.index}})


@dataclass(frozen=True)
class ClusterSize:
    """The number of tasks of each type, before any task has an address."""

    workers: int
    chief: bool = False
    ps: int = 0
    evaluator: bool = False

    def __post_init__(self) -> None:
        for number in (self.workers, self.ps):
            if isinstance(number, bool) or not isinstance(number, int):
                raise BadCluster(
                    f"{number!r} is not a valid number of tasks.",
                    "Write a whole number, for example 2.",
                )
        if self.workers < 1:
            raise BadCluster(
                f"{self.workers} workers cannot train anything"
                + (": parameter servers only serve." if self.ps > 0 else "."),
                "Request at least one worker, for example 2.",
            )
        if self.ps < 0:
            raise BadCluster(
                f"{self.ps} is not a valid number of parameter servers.",
                "Set --ps to a whole number, 0 or more.",
            )
        if self.tasks > 512:
            raise BadCluster(
                f"One machine can run at most 512 tasks, not {self.tasks}.",
                "Request fewer; 2 to 8 are enough to learn and to debug.",
            )

    @property
    def tasks(self) -> int:
        return self.workers + self.ps + self.chief + self.evaluator

    @property
    def words(self) -> str:
        """The size in words: ``a chief, 2 workers, 1 parameter server``."""
        parts = [
            "a chief" if self.chief else "",
            f"{self.workers} worker{'s' * (self.workers != 1)}",
            f"{self.ps} parameter server{'s' * (self.ps != 1)}" if self.ps else "",
            "an evaluator" if self.evaluator else "",
        ]
        return ", ".join(filter(None, parts))

    def at(self, addresses: Sequence[str]) -> ClusterSpec:
        """The cluster with one address per task, assigned in the order of the task types."""
        rest = iter(addresses)
        counts = {
            "chief": int(self.chief),
            "worker": self.workers,
            "ps": self.ps,
            "evaluator": int(self.evaluator),
        }
        return ClusterSpec.of({job: [next(rest) for _ in range(n)] for job, n in counts.items()})


def check_address(address: object, where: str) -> None:
    """Raise :class:`BadCluster`, naming ``where``, unless it is ``host:port``."""
    # A host with unprintable characters is invalid: it could act on the terminal that shows it.
    printable = isinstance(address, str) and address.isprintable()
    match = _ADDRESS.fullmatch(str(address)) if printable else None
    if match is None or not 0 < int(match["port"]) < 65536:
        raise BadCluster(
            f"The address of {where} is {address!r}, which is not host:port.",
            "Write a host and a port from 1 to 65535, for example 10.0.0.5:2222.",
        )


def parse_tf_config(text: str) -> tuple[ClusterSpec, TaskId]:
    """Read and check a ``TF_CONFIG``.

    Returns:
        The cluster and the task that this ``TF_CONFIG`` is for. An evaluator need not be in the
        cluster.

    Raises:
        BadCluster: the text is not valid; the error says which key is wrong, and how.
    """
    try:
        config = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadCluster(
            f"TF_CONFIG is not JSON: {error}.",
            'Write it with json.dumps({"cluster": ..., "task": ...}).',
        ) from None
    cluster = _mapping(_mapping(config, "TF_CONFIG itself").get("cluster"), "cluster")
    for job, addresses in cluster.items():
        if not isinstance(addresses, list):
            raise _bad_key(f"cluster.{job}", "must be a list of host:port addresses", addresses)
        for index, address in enumerate(addresses):
            check_address(address, f"cluster.{job}[{index}] in TF_CONFIG")
    spec = ClusterSpec.of(cluster)
    return spec, _task_of(_mapping(config.get("task"), "task"), spec)


def _task_of(task: Mapping[str, Any], spec: ClusterSpec) -> TaskId:
    kind, index = task.get("type"), task.get("index", 0)
    if kind not in TASK_TYPES:
        raise _bad_key("task.type", f"must be one of {', '.join(TASK_TYPES)}", kind)
    # bool is an int in Python, and hand-written configurations often say "1".
    if isinstance(index, bool) or not isinstance(index, int) or index < 0:
        raise _bad_key("task.index", "must be a whole number, 0 or more", index)
    if kind != "evaluator" and index >= len(spec.addresses(kind)):
        raise _bad_key(
            "task.index", f"must be below {len(spec.addresses(kind))}, the tasks of {kind}", index
        )
    return TaskId(kind, index)


def _mapping(value: object, key: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _bad_key(key, "must be a JSON object", value)
    return value


def _bad_key(key: str, rule: str, value: object) -> BadCluster:
    shown = json.dumps(value)
    shown = shown if len(shown) <= 80 else shown[:77] + "..."
    return BadCluster(f"TF_CONFIG: {key} {rule}, not {shown}.", f"Correct {key}.")
