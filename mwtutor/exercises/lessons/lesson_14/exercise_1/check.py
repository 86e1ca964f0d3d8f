"""14-1: one pod of many."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from typing import Any, NoReturn

from mwtutor.exceptions import MwtutorError
from mwtutor.exercises.exercise import (
    Verdict,
    Work,
    not_yet,
    right,
    wrong,
)
from mwtutor.targets.task import schedulers

_JOB = "digits"


def check(work: Work) -> Verdict:
    options, env = work.value("options"), work.value("env")
    if not isinstance(options, str) or not _is_environment(env) or not (options and env):
        words = (
            "`options` must be a string, and `env` a dictionary of strings; neither may be empty."
        )
        return wrong(words) if _has_number(env) else not_yet(words)
    if missing := [name for name in ("JOB_COMPLETION_INDEX", "HOSTNAME") if not env.get(name)]:
        return wrong(f"`env` does not set {missing[0]}.")
    try:
        shape = _shape(options)
        found = schedulers.find(shape, {schedulers.SERVICE: _JOB, **env})
    except _Misspelt as error:
        return wrong(f"`options` are not options of mwtutor exec alone: {error}.")
    except MwtutorError as error:
        return wrong(f"mwtutor exec would say: {str(error).splitlines()[0]}")
    tasks = [str(task) for task in found.cluster.tasks()]
    count = {job: sum(one.startswith(job) for one in tasks) for job in ("chief", "worker", "ps")}
    seen = f"A cluster of {len(tasks)} tasks: {', '.join(tasks)}"
    if len(tasks) != 5 or count != {"chief": 1, "worker": 3, "ps": 1}:
        return wrong(f"{seen}. The Job has five pods: a chief, three workers, a parameter server.")
    if str(found.task) != "ps:0":
        return wrong(f"The tasks are right, but with this `env` the pod is {found.task}.")
    if (number := env["JOB_COMPLETION_INDEX"]) != str(int(number)):
        return wrong(f"The tasks are right, but Kubernetes does not write a number as {number!r}.")
    host, dot, _ = env["HOSTNAME"].partition(".")
    if host != f"{_JOB}-4":
        return wrong(
            f"The tasks are right, but no pod of the Job `{_JOB}` is called {host[:60]!r}: it"
            " would look for the others under names that do not exist."
        )
    if dot:
        return wrong(
            "The tasks are right, and this `env` would do. But Kubernetes sets HOSTNAME without a"
            " domain, unless the pods have `setHostnameAsFQDN`."
        )
    address = found.cluster.address(found.task)
    return right(f"{seen}. This pod is {found.task}, at {address}.")


def _has_number(env: Any) -> bool:
    """Whether a learner filled it in with numbers instead of strings."""
    return isinstance(env, dict) and any(type(value) is int for value in env.values())


def _is_environment(env: Any) -> bool:
    return isinstance(env, Mapping) and all(
        isinstance(text, str) for pair in env.items() for text in pair
    )


class _Misspelt(Exception):
    """Text that does not consist of options of ``mwtutor exec``."""


class _Options(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _Misspelt(message)


def _shape(options: str) -> schedulers.Shape:
    parser = _Options(add_help=False, allow_abbrev=False)  # as mwtutor exec
    for name in ("--workers", "--ps", "--port"):
        parser.add_argument(name, type=int, default=0)
    for name in ("--chief", "--evaluator"):
        parser.add_argument(name, action="store_true")
    try:
        words = shlex.split(options)
    except ValueError as error:
        raise _Misspelt(str(error)) from None
    return schedulers.Shape(**vars(parser.parse_args(words)))
