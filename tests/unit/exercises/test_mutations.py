"""Mutations of a solution: small, all different, and within its cell magic."""

from __future__ import annotations

import ast

from mwtutor.exercises.mutations import mutations_of

SOLUTION = """%%mw
def mean(rows, sizes):  # of all
    if not rows or len(rows) == 1:
        return None
    return sum(rows[::2], start=0) / len(sizes)
"""


def test_each_mutation_changes_one_thing():
    found = mutations_of(SOLUTION, 99)
    assert [one.change for one in found] == [
        "line 5: return sum(rows[::2], start=0) / len(sizes) became return",
        "line 3: not rows or len(rows) == 1 became not rows and len(rows) == 1",
        "line 5: sum(rows[::2], start=0) / len(sizes) became sum(rows[::2], start=0) * len(sizes)",
        "line 3: not rows became rows",
        "line 3: len(rows) == 1 became len(rows) != 1",
        "line 5: sum(rows[::2], start=0) became sum(rows[::2])",
        "line 3: 1 became 2",
        "line 5: ::2 became :",
        "line 5: 0 became 1",
        "line 5: 2 became 3",
    ]
    texts = {one.code for one in found}
    assert len(texts) == len(found)
    for text in texts:
        assert text.startswith("%%mw\ndef mean(rows, sizes):\n")
        ast.parse(text.partition("\n")[2])


def test_a_few_of_many_are_spread_over_the_solution():
    many = mutations_of(SOLUTION, 99)
    few = mutations_of(SOLUTION, 3)
    assert len(few) == 3
    assert [many.index(one) for one in few] == [0, len(many) // 3, 2 * len(many) // 3]
    assert mutations_of(SOLUTION, 0) == []


def test_what_is_not_python_has_no_mutations():
    assert mutations_of("%%writefile x\nnot python at all", 9) == []
    assert mutations_of("%mw_launch 2 main.py", 9) == []
