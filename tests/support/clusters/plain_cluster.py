"""A TensorFlow cluster of plain processes, for tests of code that runs inside the tasks.

No part of mwtutor is used here, so the tests do not depend on the launcher.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from mwtutor.system.ports import HeldPorts
from tests.support.clusters import warm


def run_cluster(
    jobs: Mapping[str, int],
    argv: Sequence[str],
    workdir: Path,
    env: Mapping[str, str] | None = None,
    timeout: float = 120.0,
) -> None:
    """Run a program as every task of a cluster until all but the ``ps`` tasks have ended.

    Args:
        jobs: the number of tasks of each job, for example ``{"chief": 1, "ps": 1}``.
        argv: the script that each task executes with its own ``TF_CONFIG``, and its arguments.
        workdir: the directory in which the tasks run, and which contains their logs.
        env: variables in addition to this process's environment.
        timeout: seconds allowed for the whole run.

    Raises:
        AssertionError: a task failed or the time ran out; the message has the end of every log.
    """
    names = [(job, index) for job, count in jobs.items() for index in range(count)]
    logs = {name: workdir / f"{name[0]}-{name[1]}.log" for name in names}
    tasks = {}
    with HeldPorts(len(names)) as held:
        free = iter(held.numbers)
        cluster = {
            job: [f"127.0.0.1:{next(free)}" for _ in range(count)] for job, count in jobs.items()
        }
        try:
            for name in names:
                task = {"cluster": cluster, "task": {"type": name[0], "index": name[1]}}
                own = {"TF_GRPC_REUSE_PORT": "1", **(env or {}), "TF_CONFIG": json.dumps(task)}
                tasks[name] = warm.start(argv, logs[name], own, workdir)
            well = warm.wait((p for (job, _), p in tasks.items() if job != "ps"), timeout)
            codes = {name: process.exitcode for name, process in tasks.items()}
        finally:
            warm.kill(tasks.values())
    assert well, f"a task failed, or {timeout} s had passed:\n" + "\n".join(
        f"--- {job}:{index} ({codes[job, index]})\n{logs[job, index].read_text()[-3000:]}"
        for job, index in names
    )
