"""A chief with one worker against one process, and with two; every cell of the table is a test.

One cluster serves all requested rows of one Keras and one size; the first test that needs it starts
it.
"""

from __future__ import annotations

import atexit
import functools
import json
import shutil
import tempfile
from multiprocessing.process import BaseProcess
from pathlib import Path

import numpy as np
import pytest

from mwtutor.system.ports import HeldPorts
from tests.parity import recorded
from tests.parity.case import Case, Promise, Result
from tests.parity.cluster import ROOT, Rows, excerpt, rows_asked_for, whats_printed
from tests.parity.judging import assert_close, assert_refused
from tests.parity.served.cases import CASES
from tests.parity.served.program import SERVERS
from tests.parity.versions import keras_versions
from tests.support.clusters import warm

pytestmark = [pytest.mark.tensorflow, pytest.mark.e2e, pytest.mark.bridges]

#: How far the loss may be from that of one process, where two workers train at the same time.
CONVERGED = 0.05

#: The row that ``make test`` runs, of Keras 3: with Keras 2 TensorFlow does it without mwtutor.
SAMPLE = "fit_dataset"


def _marks(keras: int, case: Case) -> object:
    if case.name == SAMPLE:  # one row of Keras 2 is also always executed
        return pytest.mark.full if keras == 2 else ()
    return recorded.marks(keras, case)


ROWS = [
    pytest.param(
        keras,
        workers,
        case,
        id=f"keras{keras}-{workers}workers-{case.name}",
        marks=_marks(keras, case),
    )
    for keras, version in sorted(keras_versions().items())
    for workers in (1, 2)
    for case in CASES.cases
    if case.runs_on(version) and workers in case.workers
]


@functools.cache
def _ran(keras: int, rows: Rows) -> dict[int, tuple[Path, str]]:
    """One process (0), and clusters of one and two workers: where each wrote, and its output."""
    root = Path(tempfile.mkdtemp(prefix="mwtutor-served-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    argv = ["-m", "tests.parity.served.program", "--keras", str(keras), "--only", *rows, "--out"]
    env = {"TF_GRPC_REUSE_PORT": "1", "TF_NUM_INTRAOP_THREADS": "1"}
    # Servers in one process share their threads: with fewer they wait for each other forever.
    several = {**env, "TF_NUM_INTEROP_THREADS": "8"}
    chiefs: dict[Path, BaseProcess] = {}
    servers, logs = [], {}
    with HeldPorts(3 + 2 * SERVERS) as held:
        try:
            for workers in (0, 1, 2):
                directory = root / str(workers)
                directory.mkdir()
                logs[workers] = directory / "chief.log"
                cluster = []
                if workers:
                    jobs = {
                        job: [f"127.0.0.1:{held.numbers.pop()}" for _ in range(count)]
                        for job, count in (("worker", workers), ("ps", SERVERS))
                    }
                    hosted = ["-m", "tests.parity.served.servers", json.dumps(jobs)]
                    servers.append(warm.start(hosted, directory / "servers.log", several, ROOT))
                    cluster = ["--cluster", json.dumps(jobs)]
                chief = [*argv, str(directory), *cluster]
                chiefs[logs[workers]] = warm.start(chief, logs[workers], env, ROOT)
            warm.wait(chiefs.values(), timeout=1200, grace=120)
        finally:
            warm.kill([*chiefs.values(), *servers])
    printed = whats_printed(chiefs)
    return {workers: (log.parent, printed[log]) for workers, log in logs.items()}


def _result(case: Case, keras: int, workers: int, rows: Rows) -> Result:
    directory, log = _ran(keras, rows)[workers]
    path = directory / f"{case.name}.npz"
    if not path.exists():
        printed = excerpt(log, case.name)
        pytest.fail(f"'{case.row}' ended without a result; what it printed:\n{printed}")
    result = dict(np.load(path))
    if "raised" in result and not case.says:
        pytest.fail(f"'{case.row}' raised\n{result['raised']}")
    return result


@pytest.mark.parametrize(("keras", "workers", "case"), ROWS)
def test_row(keras: int, workers: int, case: Case, request: pytest.FixtureRequest) -> None:
    rows = rows_asked_for(request, keras)
    found = _result(case, keras, workers, rows)
    if case.promise[keras] is Promise.REFUSED:
        assert_refused(found, case)
        return
    expected = _result(case, keras, 0, rows)
    if workers > 1:
        assert_close({"loss": found.pop("loss")}, {"loss": expected.pop("loss")}, CONVERGED)
        found, expected = ({k: v for k, v in r.items() if "steps" in k} for r in (found, expected))
    assert_close(found, expected, case.tolerance)
