"""Start one program as one process, or as N workers, and wait for the results it writes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from mwtutor.system.ports import HeldPorts
from tests.support.clusters import warm

ROOT = Path(__file__).resolve().parents[2]


#: Names of cases, as ``--only`` takes them.
Rows = tuple[str, ...]


def rows_asked_for(request: pytest.FixtureRequest, keras: int) -> Rows:
    """The rows that this run of pytest tests besides the requesting one; empty means all."""
    given = [
        item.callspec.params
        for item in request.session.items
        if item.path == request.path and hasattr(item, "callspec")
    ]
    return tuple(dict.fromkeys(one["case"].name for one in given if one["keras"] == keras))


def run_programs(
    arguments: Sequence[str], directories: dict[int, Path], timeout: float = 300.0
) -> dict[int, list[str]]:
    """Run ``tests.parity.program`` in several sizes at once, and return what each process printed.

    Args:
        arguments: its command line.
        directories: for each number of workers (0: one process without ``TF_CONFIG``) where that
            cluster writes; becomes its ``--out``, and contains the logs.
        timeout: seconds until all are killed. If a worker fails, the others are killed 20 s later.
    """
    logs: dict[int, list[Path]] = {}
    tasks: dict[Path, BaseProcess] = {}
    with HeldPorts(sum(directories)) as held:
        try:
            for workers, directory in directories.items():
                directory.mkdir(parents=True, exist_ok=True)
                argv = ["-m", "tests.parity.program", "--out", str(directory), *arguments]
                own = [held.numbers.pop() for _ in range(workers)]
                logs[workers] = [directory / f"task{i}.log" for i in range(max(workers, 1))]
                for index, log in enumerate(logs[workers]):
                    tasks[log] = warm.start(argv, log, _environment(own, index), ROOT)
            warm.wait(tasks.values(), timeout, grace=20)
        finally:
            warm.kill(tasks.values())
    told = whats_printed(tasks)
    return {workers: [told[log] for log in paths] for workers, paths in logs.items()}


def whats_printed(tasks: Mapping[Path, BaseProcess]) -> dict[Path, str]:
    """What each process printed, by its log.

    If one has failed, its last output is also appended to that of the others, which were killed
    only because of it.
    """
    printed = {log: log.read_text(errors="replace") for log in tasks}
    failed = {log: task.exitcode for log, task in tasks.items() if task.exitcode not in (0, -9)}
    why = [
        f"=== {log.parent.name}/{log.name} ended with {code}:\n{excerpt(printed[log], '')}"
        for log, code in failed.items()
    ]
    return {log: "\n".join([text, *why]) for log, text in printed.items()}


def excerpt(log: str, row: str) -> str:
    """What a row, or else the last, printed in a log; of long text, the beginning and the end."""
    _, began, text = log.rpartition(f"--- {row}\n" if row else "\n--- ")
    text = began + text if began else log
    return text if len(text) < 6000 else f"{text[:3000]}\n[...]\n{text[-3000:]}"


def _environment(ports: list[int], index: int) -> dict[str, str]:
    env = {"TF_GRPC_REUSE_PORT": "1", "TF_NUM_INTRAOP_THREADS": "1"}
    if ports:
        addresses = [f"127.0.0.1:{port}" for port in ports]
        task = {"type": "worker", "index": index}
        env["TF_CONFIG"] = json.dumps({"cluster": {"worker": addresses}, "task": task})
    return env
