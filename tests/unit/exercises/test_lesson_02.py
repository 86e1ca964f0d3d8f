"""What the checks of lesson 02 say of answers that are no sabotages, but that learners may give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mwtutor.exercises.exercise import Verdict
from mwtutor.exercises.lessons import lesson_02
from mwtutor.exercises.lessons.lesson_02 import EXERCISES

CONFIGS, START, _ = EXERCISES


class Written:
    """The variables and the files that a learner leaves behind."""

    session: dict[str, Any] = {}  # noqa: RUF012

    def __init__(self, folder: Path, **variables: Any) -> None:
        self.folder = folder
        self._variables = variables

    def value(self, name: str) -> Any:
        return self._variables.get(name)

    def run(self, name: str) -> None:
        return None


def configs(change: Any) -> Verdict:
    there: dict[str, Any] = {}
    exec(CONFIGS.solution, there)
    return CONFIGS.check(Written(Path(), configs=change(there["configs"])))


def without_ports(found):
    return {address.partition(":")[0]: config for address, config in found.items()}


def with_text_as_index(found):
    return {
        a: {**c, "task": {**c["task"], "index": str(c["task"]["index"])}} for a, c in found.items()
    }


def with_all_as_workers(found):
    return {a: {**c, "cluster": {**c["cluster"], "worker": list(found)}} for a, c in found.items()}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda found: list(found.values()), "`configs` is of type list, not a dictionary."),
        (without_ports, "no key '10.0.0.1:2222'"),
        (with_text_as_index, "an index is a number"),
        (with_all_as_workers, "not each address in the list of its job"),
    ],
)
def test_configs_that_are_wrong(change, words):
    verdict = configs(change)
    assert verdict.status == "wrong"
    assert words in verdict.words


def test_a_started_worker_that_failed_is_not_called_unstarted(tmp_path):
    assert START.check(Written(tmp_path, processes=[])).status == "not yet"
    (tmp_path / "here-17.json").touch()
    verdict = START.check(Written(tmp_path, processes=[1]))
    assert verdict.status == "wrong"
    assert verdict.words.startswith("Workers started: 1, but none has left a note.")


@pytest.mark.parametrize(
    ("results", "words"),
    [
        ([{"replicas": 2, "mean": 1.71}], "lines with RESULT: 1."),
        ([{}, {}], "lacks `replicas` or `mean`"),
        ([{"replicas": 2, "mean": 3.42}] * 2, "Both say 3.42"),
    ],
)
def test_results_that_are_wrong(results, words):
    verdict = lesson_02._judge(results)
    assert verdict.status == "wrong"
    assert words in verdict.words
