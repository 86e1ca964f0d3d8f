"""02-1: who is who."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong

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


def check(work: Work) -> Verdict:
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
    return right("Each of the five tasks knows the cluster and which task it is.")


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
            " must not list it."
        )
    own = {**_CLUSTER, "evaluator": _EVALUATOR} if job == "evaluator" else _CLUSTER
    if cluster not in (_CLUSTER, own):
        return f"The cluster of {address} {_other_cluster(cluster)}"
    if said.get("type") != job:
        return f"{address} has the type {said.get('type')!r}; its job is {job!r}."
    if said.get("index") == str(index):
        return f"{address} has the index {said['index']!r}, a string: an index is a number."
    if said.get("index") != index:
        return (
            f"{address} has the index {said.get('index')!r}, but it is number {index} in the list"
            f" of its own job, {job!r}. Each job counts from 0."
        )
    return ""


def _other_cluster(cluster: Mapping[str, Any]) -> str:
    """How a cluster differs from the cluster of this exercise."""
    if strange := [job for job in cluster if job not in (*_CLUSTER, "evaluator")]:
        return (
            f"has the job {strange[0]!r:.40}, which TensorFlow does not know. The table in section"
            " 7 has the names."
        )
    if single := [job for job, tasks in cluster.items() if not isinstance(tasks, list)]:
        return (
            f"has no list of addresses for {single[0]!r}. A job of one task has a list of one"
            " address."
        )
    if missing := [job for job in _CLUSTER if job not in cluster]:
        return (
            f"does not list the job {missing[0]!r}. `cluster` is the same for every task, with all"
            " jobs that take part in the training; only `task` differs."
        )
    return "does not list every address under its job."
