"""N workers against one process, row by row; every row of the table in
``docs/explanation/bridges.md`` is a test here. ``judging.py`` starts the clusters.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mwtutor.bridges import keras3
from tests.parity import recorded
from tests.parity.case import Case
from tests.parity.cases import cases_for
from tests.parity.cluster import rows_asked_for
from tests.parity.judging import judge, ran
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


@pytest.mark.parametrize(("keras", "workers", "case"), ROWS)
def test_row(keras: int, workers: int, case: Case, request: pytest.FixtureRequest) -> None:
    judge(case, keras, workers, rows_asked_for(request, keras))


@recorded.mark_as_all_rows(3)
@pytest.mark.skipif(3 not in keras_versions(), reason="no Keras 3 here")
def test_of_the_bridges_functions_none_is_traced_again_and_again(
    request: pytest.FixtureRequest,
) -> None:
    """TensorFlow warns of those, and users would look for them in their own program."""
    sources = Path(keras3.__file__).parent.glob("*.py")
    ours = {name for path in sources for name in re.findall(r"\bdef (\w+)", path.read_text())}
    for log in ran(3, 2, rows_asked_for(request, 3))[1]:
        named = re.findall(r"calls to <function ([\w.<>]+) at \w+> triggered", log)
        assert not [name for name in named if name.partition(".")[0] in ours]


@pytest.mark.skipif(2 not in keras_versions(), reason="no Keras 2 here")
def test_no_part_of_the_package_is_in_a_row_of_keras_2(request: pytest.FixtureRequest) -> None:
    """So the recorded ones cannot change with it."""
    for loaded in _parts_of_the_package(2, request):
        assert loaded == ["mwtutor", *map("mwtutor.{}".format, ERRORS)]


@pytest.mark.skipif(3 not in keras_versions(), reason="no Keras 3 here")
def test_each_part_of_the_package_in_a_row_of_keras_3_is_in_its_digest(
    request: pytest.FixtureRequest,
) -> None:
    """So the recorded ones are executed again when it changes."""
    places = [path.relative_to(recorded.ROOT).with_suffix("") for path in recorded.layer()]
    known = {".".join(place.parts).removesuffix(".__init__") for place in places}
    for loaded in _parts_of_the_package(3, request):
        assert "mwtutor.bridges.keras3.trainer" in loaded
        assert known.issuperset(loaded)


def _parts_of_the_package(keras: int, request: pytest.FixtureRequest) -> list[list[str]]:
    """The modules that each process of the rows had imported at its end."""
    logs = [log for size in (0, 2) for log in ran(keras, size, rows_asked_for(request, keras))[1]]
    found = [re.findall(r"^=== of the package: (.*)$", log, re.MULTILINE) for log in logs]
    return [line.split() for (line,) in found]
