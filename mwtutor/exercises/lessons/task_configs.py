"""Exercise 02-1: the TF_CONFIG of every task of a cluster."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mwtutor.exercises.exercise import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong

_CLUSTER = {
    "chief": ["10.0.0.1:2222"],
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "ps": ["10.0.0.4:2222"],
}
_EVALUATOR = ["10.0.0.5:2222"]
_ADDRESSES = {
    **{(job, i): one for job, tasks in _CLUSTER.items() for i, one in enumerate(tasks)},
    ("evaluator", 0): _EVALUATOR[0],
}


def _check_configs(work: Work) -> Verdict:
    configs = work.value("configs")
    if configs is not None and not isinstance(configs, Mapping):
        return wrong(f"`configs` is of type {type(configs).__name__}, not a dictionary.")
    if not configs:
        return not_yet("`configs` is empty.")
    read = {str(address): _read(config) for address, config in configs.items()}
    if unreadable := [address for address, config in read.items() if config is None]:
        return wrong(
            f"The value of {unreadable[0]} is not a TF_CONFIG: a dictionary with `cluster` and"
            " `task`, or the JSON text of one."
        )
    if missing := [one for one in _ADDRESSES.values() if one not in read]:
        return wrong(f"`configs` has no key {missing[0]!r}: every task needs a TF_CONFIG.")
    for task, address in _ADDRESSES.items():
        if words := _mistake(task, read[address] or {}):
            return wrong(words)
    return right("Five tasks, one cluster, and each knows who it is.")


def _read(config: Any) -> dict[str, Any] | None:
    try:
        found = json.loads(config) if isinstance(config, str) else config
        cluster = {
            job: list(tasks) if isinstance(tasks, tuple) else tasks
            for job, tasks in dict(found["cluster"]).items()
        }
        return {"cluster": cluster, "task": dict(found["task"])}
    except (KeyError, TypeError, ValueError):
        return None


def _mistake(task: tuple[str, int], config: Mapping[str, Any]) -> str:
    (job, index), address = task, _ADDRESSES[task]
    cluster, said = config["cluster"], config["task"]
    if job != "evaluator" and "evaluator" in cluster:
        return (
            f"The cluster of {address} lists the evaluator. The others do not train with it and"
            " must not know of it."
        )
    own = {**_CLUSTER, "evaluator": _EVALUATOR} if job == "evaluator" else _CLUSTER
    if cluster not in (_CLUSTER, own):
        return f"The cluster of {address} {_other_cluster(cluster)}"
    if said.get("type") != job:
        return f"{address} is told that it is a {said.get('type')!r}; its job is {job!r}."
    if said.get("index") == str(index):
        return f"{address} is told index {said['index']!r}, which is a text: an index is a number."
    if said.get("index") != index:
        return (
            f"{address} is told index {said.get('index')!r}, but it is number {index} in the list"
            f" of its own job, {job!r}. Each job counts from 0."
        )
    return ""


def _other_cluster(cluster: Mapping[str, Any]) -> str:
    """What a cluster has that is not the cluster of this exercise."""
    if strange := [job for job in cluster if job not in (*_CLUSTER, "evaluator")]:
        return (
            f"has the job {strange[0]!r:.40}, which TensorFlow does not know. The table in section"
            " 7 has the names."
        )
    if single := [job for job, tasks in cluster.items() if not isinstance(tasks, list)]:
        return f"has no list of addresses for {single[0]!r}. A job of one task has a list of one."
    if missing := [job for job in _CLUSTER if job not in cluster]:
        return (
            f"does not list the job {missing[0]!r}. `cluster` is the same for every task, with all"
            " jobs that take part in the training; only `task` differs."
        )
    return "has not each address in the list of its job."


_TASKS = """\
cluster = {
    "chief": ["10.0.0.1:2222"],
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "ps": ["10.0.0.4:2222"],
}
"""

CONFIGS = Exercise(
    id="02-1",
    title="who is who",
    task=(
        "A chief runs on `10.0.0.1:2222`, two workers on `10.0.0.2:2222` and `10.0.0.3:2222`, a"
        " parameter server on `10.0.0.4:2222`, and an evaluator on `10.0.0.5:2222`. Fill"
        " `configs`: for each of the five addresses the `TF_CONFIG` of the task there, as a"
        " dictionary."
    ),
    stub='configs = {}  # address: {"cluster": ..., "task": ...}\n',
    check=_check_configs,
    hints=(
        "Write the cluster once. Who is in it?",
        "The index is a position in the list of the task's own job.",
        "Four tasks take part in training, so the cluster has four addresses; the evaluator only"
        " reads checkpoints.",
    ),
    solution=_TASKS
    + """\
tasks = {
    "10.0.0.1:2222": {"type": "chief", "index": 0},
    "10.0.0.2:2222": {"type": "worker", "index": 0},
    "10.0.0.3:2222": {"type": "worker", "index": 1},
    "10.0.0.4:2222": {"type": "ps", "index": 0},
    "10.0.0.5:2222": {"type": "evaluator", "index": 0},
}
configs = {address: {"cluster": cluster, "task": task} for address, task in tasks.items()}
""",
    reasoning=(
        "The cluster is one value, shared by all; writing it once makes it impossible to get it"
        " wrong in one place. Every job counts its own tasks from 0, so the first worker is index"
        " 0 although there is a chief. The evaluator is told of the cluster, but no cluster lists"
        " it: nobody waits for it or sends it gradients. TensorFlow's resolver wants to find the"
        " evaluator in its own copy, so adding it there is right, too."
    ),
    sabotages=(
        Sabotage(
            "the chief is worker 0, so the workers are 1 and 2",
            _TASKS
            + """\
order = [("chief", 0), ("worker", 1), ("worker", 2), ("ps", 3), ("evaluator", 4)]
configs = {
    f"10.0.0.{n}:2222": {"cluster": cluster, "task": {"type": job, "index": index}}
    for n, (job, index) in enumerate(order, 1)
}
""",
            "Each job counts from 0",
        ),
        Sabotage(
            "everybody who runs is in the cluster",
            _TASKS
            + """\
cluster["evaluator"] = ["10.0.0.5:2222"]
order = [("chief", 0), ("worker", 0), ("worker", 1), ("ps", 0), ("evaluator", 0)]
configs = {
    f"10.0.0.{n}:2222": {"cluster": cluster, "task": {"type": job, "index": index}}
    for n, (job, index) in enumerate(order, 1)
}
""",
            "lists the evaluator",
        ),
        Sabotage(
            "a task's cluster is the task itself",
            """\
order = [("chief", 0), ("worker", 0), ("worker", 1), ("ps", 0), ("evaluator", 0)]
configs = {
    f"10.0.0.{n}:2222": {
        "cluster": {job: [f"10.0.0.{n}:2222"]} if job != "evaluator" else {},
        "task": {"type": job, "index": index},
    }
    for n, (job, index) in enumerate(order, 1)
}
""",
            "`cluster` is the same for every task",
        ),
        Sabotage(
            "a job of one task has an address, not a list",
            """\
cluster = {
    "chief": "10.0.0.1:2222",
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "ps": "10.0.0.4:2222",
}
order = [("chief", 0), ("worker", 0), ("worker", 1), ("ps", 0), ("evaluator", 0)]
configs = {
    f"10.0.0.{n}:2222": {"cluster": cluster, "task": {"type": job, "index": index}}
    for n, (job, index) in enumerate(order, 1)
}
""",
            "A job of one task has a list of one",
        ),
        Sabotage(
            "a job may be called what it does",
            """\
cluster = {
    "chief": ["10.0.0.1:2222"],
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "parameter_server": ["10.0.0.4:2222"],
}
order = [("chief", 0), ("worker", 0), ("worker", 1), ("parameter_server", 0), ("evaluator", 0)]
configs = {
    f"10.0.0.{n}:2222": {"cluster": cluster, "task": {"type": job, "index": index}}
    for n, (job, index) in enumerate(order, 1)
}
""",
            "which TensorFlow does not know",
        ),
    ),
)
