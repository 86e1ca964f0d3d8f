"""The clusters of the rows, and the judgement on what they wrote.

One cluster serves all requested rows of one Keras and one size; the first test that needs it starts
it.
"""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest

from tests.parity.case import Case, Promise, Result
from tests.parity.cluster import Rows, excerpt, run_programs


@functools.cache
def _run(keras: int, rows: Rows, *sizes: int) -> dict[int, tuple[Path, list[str]]]:
    """Run these rows on clusters of these sizes (0: one process), at the same time."""
    root = Path(tempfile.mkdtemp(prefix="mwtutor-parity-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    directories = {size: root / str(size) for size in sizes}
    argv = ["--keras", str(keras), "--only", *rows]
    logs = run_programs(argv, directories, timeout=1500)
    return {size: (directories[size], logs[size]) for size in sizes}


def ran(keras: int, workers: int, rows: Rows) -> tuple[Path, list[str]]:
    """One process runs beside two workers: they leave some of two cores' time unused."""
    return _run(keras, rows, 3)[3] if workers == 3 else _run(keras, rows, 0, 2)[workers]


def _results(case: Case, keras: int, workers: int, rows: Rows) -> list[Result]:
    """The results of each worker."""
    directory, logs = ran(keras, workers, rows)
    return [_read(directory / f"{case.name}.{i}.npz", case, log) for i, log in enumerate(logs)]


def _expected(case: Case, keras: int, workers: int, rows: Rows) -> Result:
    """The expected results, from one process."""
    directory, (log,) = ran(keras, 0, rows)
    return _read(directory / f"{case.name}.as{workers}.npz", case, log)


def _read(path: Path, case: Case, log: str) -> Result:
    if not path.exists():
        printed = excerpt(log, case.name)
        pytest.fail(f"'{case.row}' ended without a result; what it printed:\n{printed}")
    result = dict(np.load(path))
    if "raised" in result and not case.says:
        pytest.fail(f"'{case.row}' raised\n{result['raised']}")
    return result


def judge(case: Case, keras: int, workers: int, rows: Rows) -> None:
    """Fail unless the row keeps its promise; these rows share its clusters."""
    many = _results(case, keras, workers, rows)
    if case.promise[keras] is Promise.REFUSED:
        for result in many:
            assert_refused(result, case)
        return
    first, *others = many
    for other in others:
        assert_identical(first, other)
    assert_close(first, _expected(case, keras, workers, rows), case.tolerance)


def assert_refused(result: Result, case: Case) -> None:
    """By the bridge in two sentences, or by Keras 2 in its own words."""
    if case.says:
        assert case.says in str(result["raised"])
        return
    problem, _, remedy = str(result["refused"]).partition("\n")
    assert problem.endswith(".")
    assert remedy.endswith(".")


def assert_identical(one: Result, other: Result) -> None:
    """Equal to the last bit: the workers have one model, not similar ones."""
    assert one.keys() == other.keys()
    for name, value in one.items():
        assert value.tobytes() == other[name].tobytes(), f"the workers differ in {name}"


def assert_close(found: Result, expected: Result, tolerance: float) -> None:
    """Relative to the largest entry: what an optimizer leaves near zero has no relative error."""
    assert found.keys() == expected.keys()
    assert found, "a row that returns nothing proves nothing"
    for name, value in found.items():
        reference = expected[name]
        assert value.shape == reference.shape, name
        if reference.dtype.kind in "US":
            assert value.tolist() == reference.tolist(), name
        else:
            largest = max(float(np.max(np.abs(reference))), 1e-30)
            error = float(np.max(np.abs(value - reference))) / largest
            assert error <= tolerance, f"{name}: {error:.1e} relative"
