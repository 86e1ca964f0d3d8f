"""N workers against one process, row by row; every row of the table in
``docs/explanation/bridges.md`` is a test here.

One cluster serves all requested rows of one Keras and one size; the first test that needs it starts
it.
"""

from __future__ import annotations

import atexit
import functools
import re
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest

from mwtutor.bridges import keras3
from tests.parity import recorded
from tests.parity.case import Case, Promise, Result
from tests.parity.cases import cases_for
from tests.parity.cluster import Rows, excerpt, rows_asked_for, run_programs
from tests.parity.versions import keras_versions

pytestmark = [pytest.mark.tensorflow, pytest.mark.e2e, pytest.mark.bridges]

#: What a program of rows imports to tell a refusal from another error.
ERRORS = ("exceptions", "interface", "sanitize", "version")

#: The row that ``make test`` runs, of each Keras.
SAMPLE = "fit_tf_data"

ROWS = [
    pytest.param(
        keras,
        workers,
        case,
        id=f"keras{keras}-{workers}workers-{case.name}",
        marks=() if case.name == SAMPLE and workers == 2 else recorded.marks(keras, case),
    )
    for keras, version in sorted(keras_versions().items())
    for workers in (2, 3)
    for case in cases_for(version, workers)
]


@functools.cache
def _run(keras: int, rows: Rows, *sizes: int) -> dict[int, tuple[Path, list[str]]]:
    """Run these rows on clusters of these sizes (0: one process), at the same time."""
    root = Path(tempfile.mkdtemp(prefix="mwtutor-parity-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    directories = {size: root / str(size) for size in sizes}
    argv = ["--keras", str(keras), "--only", *rows]
    logs = run_programs(argv, directories, timeout=1500)
    return {size: (directories[size], logs[size]) for size in sizes}


def _ran(keras: int, workers: int, rows: Rows) -> tuple[Path, list[str]]:
    """One process runs beside two workers: they leave some of two cores' time unused."""
    return _run(keras, rows, 3)[3] if workers == 3 else _run(keras, rows, 0, 2)[workers]


def _results(case: Case, keras: int, workers: int, rows: Rows) -> list[Result]:
    """The results of each worker."""
    directory, logs = _ran(keras, workers, rows)
    return [_read(directory / f"{case.name}.{i}.npz", case, log) for i, log in enumerate(logs)]


def _expected(case: Case, keras: int, workers: int, rows: Rows) -> Result:
    """The expected results, from one process."""
    directory, (log,) = _ran(keras, 0, rows)
    return _read(directory / f"{case.name}.as{workers}.npz", case, log)


def _read(path: Path, case: Case, log: str) -> Result:
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
    many = _results(case, keras, workers, rows)
    if case.promise[keras] is Promise.REFUSED:
        for result in many:
            assert_refused(result, case)
        return
    first, *others = many
    for other in others:
        assert_identical(first, other)
    assert_close(first, _expected(case, keras, workers, rows), case.tolerance)


@pytest.mark.full
@pytest.mark.skipif(3 not in keras_versions(), reason="no Keras 3 here")
def test_of_the_bridges_functions_none_is_traced_again_and_again(
    request: pytest.FixtureRequest,
) -> None:
    """TensorFlow warns of those, and users would look for them in their own program."""
    sources = Path(keras3.__file__).parent.glob("*.py")
    ours = {name for path in sources for name in re.findall(r"\bdef (\w+)", path.read_text())}
    for log in _ran(3, 2, rows_asked_for(request, 3))[1]:
        named = re.findall(r"calls to <function ([\w.<>]+) at \w+> triggered", log)
        assert not [name for name in named if name.partition(".")[0] in ours]


@pytest.mark.skipif(2 not in keras_versions(), reason="no Keras 2 here")
def test_no_part_of_the_package_is_in_a_row_of_keras_2(request: pytest.FixtureRequest) -> None:
    """So the recorded ones cannot change with it."""
    for size in (0, 2):
        for log in _ran(2, size, rows_asked_for(request, 2))[1]:
            (loaded,) = re.findall(r"^=== of the package: (.*)$", log, re.MULTILINE)
            assert loaded.split() == ["mwtutor", *map("mwtutor.{}".format, ERRORS)]


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
