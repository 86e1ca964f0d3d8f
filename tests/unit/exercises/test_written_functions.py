"""The check of writing tasks."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mwtutor.exercises.exercise import Verdict
from mwtutor.exercises.lessons.written_functions import judged, plain, same

CASES = [(rows, workers) for rows in (12, 8, 30) for workers in (1, 2, 4)]


@pytest.fixture
def check(tmp_path: Path) -> str:
    """The task: each worker's number of rows."""
    (tmp_path / "solution.py").write_text("def each(rows, workers):\n    return rows // workers\n")
    (tmp_path / "wrong").mkdir()
    (tmp_path / "wrong" / "1_all.py").write_text(
        "# misconception: all\n# says: Everybody has all rows.\n\n\n"
        "def each(rows, workers):\n    return rows\n"
    )
    return str(tmp_path / "check.py")


def verdict(check: str, function: Any, **options: Any) -> Verdict:
    work = SimpleNamespace(value={"each": function}.get)
    return judged(work, check, "each", CASES, "Done.", **options)


def test_a_misconception_is_named_only_if_it_gives_every_answer(check):
    always = verdict(check, lambda rows, workers: rows)
    mostly = verdict(check, lambda rows, workers: rows if rows != 30 else 99)
    assert always.words == "`each(8, 2)` gives 8, not 4. Everybody has all rows."
    assert mostly.words == "`each(8, 2)` gives 8, not 4. Right answers: 2 of 9."


def test_right_answers_of_several_kinds(check):
    assert verdict(check, lambda rows, workers: np.int64(rows) // workers).status == "right"
    assert verdict(check, lambda rows, workers: float(rows // workers)).status == "right"
    assert verdict(check, lambda rows, workers: None).words == "`each` returns None."
    assert verdict(check, 7).words == "There is no function `each`."


def test_a_right_function_that_changes_its_arguments_hears_of_it(check, tmp_path):
    (tmp_path / "solution.py").write_text("def each(rows):\n    return rows[1:]\n")

    def changing(rows: list[int]) -> list[int]:
        rows.pop(0)
        return rows

    work = SimpleNamespace(value={"each": changing}.get)
    found = judged(work, check, "each", [([1, 2],), ([3],)], "Done.")
    assert found.status == "right"
    assert "changes its arguments" in found.words
    work = SimpleNamespace(value={"each": lambda rows: rows[1:]}.get)
    assert judged(work, check, "each", [([1, 2],)], "Done.").words == "Done."


def test_an_error_is_shown_with_its_call(check):
    def two_workers(rows: int, workers: int) -> int:
        return {2: rows // 2}[workers]

    line = two_workers.__code__.co_firstlineno + 1
    words = f"`each(8, 1)` raises KeyError: 1 (line {line}). Right answers: 3 of 9."
    assert verdict(check, two_workers).words == words


def test_an_error_of_the_check_itself_is_not_the_functions(check):
    with pytest.raises(ZeroDivisionError):
        verdict(check, lambda rows, workers: 1, called=lambda function, case: 1 / 0)


def test_a_function_may_be_called_in_another_way(check):
    def called(function: Any, case: Any) -> Any:
        return {"twice": 2 * function(*case)}

    assert verdict(check, lambda rows, workers: rows // workers, called=called).status == "right"
    found = verdict(check, lambda rows, workers: 1, called=called).words
    assert found.startswith("`each`, tried with 8, 2, gives {'twice': 2}, not {'twice': 8}.")


def test_what_differs_is_shown(tmp_path):
    (tmp_path / "solution.py").write_text("def each(rows):\n    return list(range(rows))\n")
    work = SimpleNamespace(value={"each": lambda rows: [*range(rows - 1), 0]}.get)
    found = judged(work, str(tmp_path / "check.py"), "each", [(90,)], "Done.").words
    assert found.startswith("`each(90)` gives …")
    assert " 88, 0], not …" in found
    assert " 88, 89]." in found


def test_arguments_are_shown_whole_so_that_a_learner_can_try_them(tmp_path):
    (tmp_path / "solution.py").write_text("def each(runs):\n    return len(runs)\n")
    work = SimpleNamespace(value={"each": lambda runs: 0}.get)
    runs = {f"run-{one}": {"worker:0": ("disk-0", "backup")} for one in range(4)}
    found = judged(work, str(tmp_path / "check.py"), "each", [(runs,)], "Done.").words
    assert found.startswith(f"`each({runs})` gives 0, not 4.")


def test_plain_values():
    given = ((np.float32(0.5), iter([1])), {np.int64(2): np.arange(2)})
    assert plain(given) == [[0.5, [1]], {2: [0, 1]}]
    assert plain(np.bool_(True)) is True
    assert plain(np.array(3)) == 3
    assert plain({(0, 1): (2,)}) == {(0, 1): [2]}


def test_what_contains_itself_ends():
    endless: list[Any] = [1]
    endless.append(endless)
    assert plain([endless, endless]) == [[1, "itself"], [1, "itself"]]
    assert len(plain(np.zeros(3 * 10**7))) <= 10_000


def test_a_tensor_is_its_numbers():
    class Tensor(list):
        """Like TensorFlow's tensors, it cannot be iterated over if it is a number."""

        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.array(0.5)

        def __iter__(self) -> Any:
            raise TypeError("Cannot iterate over a scalar tensor.")

    assert plain([Tensor()]) == [0.5]


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, [1]), ([1, 2], [1]), ("1", 1), (None, 0), (float("nan"), 1), ({"a": 1}, {"b": 1})],
)
def test_different_values(one, other):
    assert not same(one, other)
    assert same([0.1 + 0.2, True, "a", None], [0.3, 1, "a", None])
    assert same([float("nan")], [np.nan])
