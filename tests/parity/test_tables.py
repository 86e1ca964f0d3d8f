"""The tables of ``docs/explanation/bridges.md`` match the tests exactly."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mwtutor.bridges.keras3 import versions
from tests.parity import table as parity_table
from tests.parity.cases import ALL
from tests.parity.served import table as served_table
from tests.parity.served.cases import CASES as SERVED
from tests.support.tables import estimator as estimator_table

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "explanation" / "bridges.md").read_text()
CI = (ROOT / ".ci" / "run").read_text()


@pytest.mark.parametrize("table", [parity_table.table, estimator_table.table])
def test_the_page_has_the_table_that_the_tests_make(table) -> None:
    """After a change: ``python -m tests.parity.table``."""
    assert table() in PAGE


def test_each_row_has_one_case_for_a_version_and_each_as_is_says_what() -> None:
    names = [case.name for case in ALL]
    assert len(set(names)) == len(names)
    for row, cases in parity_table.rows().items():
        for column in parity_table.COLUMNS:
            assert sum(case.runs_on(column.keras) for case in cases) <= 1, row
    assert all(case.note for case in ALL if "As is" in str(case.promise))


def test_the_bridge_claims_the_corners_that_ci_runs() -> None:
    oldest, newest = (column for column in parity_table.COLUMNS if column.keras[0] == 3)
    assert (oldest.tensorflow, newest.tensorflow) == versions._TENSORFLOW
    assert (oldest.keras, newest.keras) == versions._KERAS


@pytest.mark.parametrize(
    "target", ["test-all AFTER=test", "test-extra WHAT=old", "test-extra WHAT=keras3-oldest"]
)
def test_ci_runs_every_column(target: str) -> None:
    assert re.search(rf"leg \S+ {target} ", CI)


def test_every_feature_of_the_estimator_names_tests_that_exist() -> None:
    source = (ROOT / "tests" / "bridges" / "test_estimator.py").read_text()
    cases = json.loads((ROOT / "tests" / "golden" / "estimator_numbers.json").read_text())
    for feature in estimator_table.FEATURES:
        for test in feature.tests:
            name, _, chosen = test.rstrip("]").partition("[")
            assert f"def test_{name}(" in source
            assert set(chosen.split(", ")) - {""} <= set(cases), feature.name


def test_the_page_on_parameter_servers_has_the_table_that_the_tests_make() -> None:
    """After a change: ``python -m tests.parity.served.table``."""
    page = ROOT / "docs" / "how-to" / "parameter-servers-keras.md"
    assert served_table.table() in page.read_text()
    names = [case.name for case in SERVED.cases]
    assert len(set(names)) == len(names)
