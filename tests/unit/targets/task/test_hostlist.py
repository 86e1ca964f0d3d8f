"""How Slurm writes names and numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mwtutor.exceptions import BadCluster
from mwtutor.targets.task import hostlist


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("node1", ["node1"]),
        ("node[01-03,7]", ["node01", "node02", "node03", "node7"]),
        ("a[9-11],b-2.example.org", ["a9", "a10", "a11", "b-2.example.org"]),
        ("r[1-2]n[01-02]x", ["r1n01x", "r1n02x", "r2n01x", "r2n02x"]),
        ("[12000-12001,5]", ["12000", "12001", "5"]),
    ],
)
def test_names(text, names):
    assert hostlist.expand(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a,,b",
        "n[1",
        "n1]",
        "n[]",
        "n[a-b]",
        "n[1-]",
        "a b",
        "n[[1]]",
        "n[0-999999999]",
        "n[3-2]",
        "n[1-999999999][2-1]",
        "n[٣-٤]",
        "n" + "[1]" * 5000,
    ],
)
def test_what_is_no_list_is_said(text):
    with pytest.raises(BadCluster, match="is not a list of hosts"):
        hostlist.expand(text)


@given(st.integers(0, 300), st.integers(0, 30), st.integers(1, 5))
def test_a_range_has_every_number_once_in_order_and_width(first, more, width):
    names = hostlist.expand(f"n[{first:0{width}}-{first + more}]")
    assert [int(name[1:]) for name in names] == list(range(first, first + more + 1))
    assert all(len(name) >= 1 + width for name in names)


def test_numbers_of_tasks():
    assert hostlist.counts("2(x3),1") == [2, 2, 2, 1]
    for text in ("", "x", "2(x", "1(x999999)"):
        with pytest.raises(BadCluster, match="is not a list of task counts"):
            hostlist.counts(text)
