"""The verdicts of lesson 02 on answers that learners may give."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mwtutor.cluster import TaskId
from mwtutor.exercises.catalogue import find
from mwtutor.exercises.exercise import Verdict
from mwtutor.exercises.lessons.lesson_02.exercise_3 import check as repair
from mwtutor.run.logs.logs import LogLine

CONFIGS = find("02-1")
START = find("02-2")


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
        (with_all_as_workers, "not list every address under its job"),
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
    assert verdict.words.startswith("Workers started: 1, but none left a note.")


def test_addresses_in_a_tuple_are_a_list_of_addresses():
    def with_tuples(found):
        return {
            address: {**config, "cluster": {job: (*on,) for job, on in config["cluster"].items()}}
            for address, config in found.items()
        }

    assert configs(with_tuples).status == "right"


def test_workers_that_had_ended_when_they_were_returned(tmp_path):
    def started(*, returned: bool) -> Verdict:
        for index in range(2):
            note = {"index": index, "met": 2, "path": True, "returned": returned}
            (tmp_path / f"met-{index}.json").write_text(json.dumps(note))
        return START.check(Written(tmp_path, processes=[1, 2]))

    assert "they exited before start_workers returned" in started(returned=False).words
    assert started(returned=True).status == "right"


#: Measurements of two workers, each training alone.
DRAWN = [[[1.60, 1.64]], [[1.80, 1.84]]]


@pytest.mark.parametrize(
    ("results", "words"),
    [
        ([{"replicas": 2, "mean": 1.71}], "lines with RESULT: 1."),
        ([{}, {}], "lacks `replicas` or `mean`"),
        (
            [{"replicas": 2, "mean": 1.62}, {"replicas": 2, "mean": 1.82}],
            "of its own two heights only",
        ),
        ([{"replicas": 2, "mean": "x"}] * 2, "The workers print x and x"),
        ([{"replicas": 2, "mean": 1.71}] * 2, "The workers print 1.71 and 1.71"),
        (
            [{"replicas": 2, "mean": 3.42}] * 2,
            "3.42 and 3.42; the mean of 1.60, 1.64, 1.80, 1.84 is 1.72.",
        ),
    ],
)
def test_results_that_are_wrong(results, words):
    verdict = repair._judge(results, DRAWN, met=True)
    assert verdict.status == "wrong"
    assert words in verdict.words


def test_the_mean_is_that_of_what_both_have_measured():
    results = [{"replicas": 2, "mean": 1.72}] * 2
    assert repair._judge(results, DRAWN, met=True).status == "right"
    assert "no cluster was formed" in repair._judge(results, DRAWN, met=False).words
    assert "`measured.heights()`" in repair._judge(results, [[]] * 2, met=True).words
    assert "`measured.heights()`" in repair._judge(results, [[["x", 1]]] * 2, met=True).words
    twice = [[[1.52, 1.56], *DRAWN[0]], DRAWN[1]]
    assert "2 and 1 times" in repair._judge(results, twice, met=True).words


def test_workers_that_met_are_not_called_alone():
    results = [{"replicas": 4, "mean": 1.72}] * 2
    assert repair._judge(results, DRAWN, met=True).words == "The workers count 4 and 4 replicas."
    assert "each ran on its own" in repair._judge(results, DRAWN, met=False).words


def test_results_are_compared_with_the_heights_of_the_same_worker_whoever_prints_first():
    said = [
        (0, "HEIGHTS [1.52, 1.56]"),
        (1, "HEIGHTS [1.8, 1.84]"),
        (1, 'RESULT {"replicas": 2, "mean": 1.82}'),
        (0, 'RESULT {"replicas": 2, "mean": 1.54}'),
    ]
    lines = [LogLine(1.0, TaskId("worker", index), text) for index, text in said]
    assert "of its own two heights only" in repair._judge(*repair._printed(lines), met=True).words
