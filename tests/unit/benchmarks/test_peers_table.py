"""The comparison table: values that were not measured never appear as numbers."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

_PATH = Path(__file__).parents[3] / "benchmarks" / "peers" / "table.py"
_SPEC = importlib.util.spec_from_file_location("peers_table", _PATH)
table = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(table)

WAYS = {"plain": "plain recipe", "ray_train": "Ray Train", "ours": "mwtutor"}


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("|").split("|")][1:]


def test_median_range_and_ratio():
    measured = {"end s": {"plain": [8.0, 10.0, 12.0], "ours": [2.0, 2.0, 5.0]}}
    row = table.table("2 workers", measured, WAYS).splitlines()[2]
    assert cells(row) == ["10 (8 to 12) **5.0x**", "-", "2 (2 to 5)"]


def test_a_limit_that_was_reached_is_neither_a_number_nor_in_a_ratio():
    measured = {"reported s": {"plain": ["> 30", 4.0], "ray_train": [3.0], "ours": ["> 30"]}}
    row = table.table("a death", measured, WAYS).splitlines()[2]
    assert cells(row) == ["> 30", "3", "> 30"]


@given(st.dictionaries(st.sampled_from(list(WAYS)), st.lists(st.floats(0.001, 1e6), max_size=3)))
def test_a_figure_stands_exactly_where_something_was_measured(by_way):
    row = table.table("anything", {"a row": by_way}, WAYS).splitlines()[2]
    for way, cell in zip(WAYS, cells(row)):
        assert (cell == table.NOTHING) == (not by_way.get(way))
