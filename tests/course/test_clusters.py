"""Every broken cluster: its output unrepaired, with wrong repairs, and with the right one.

They are launched for real, one after the other, by the same fork server. ``make test-all`` tries a
few of them, and ``make test-extra WHAT=course`` tries all.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

import mwtutor
from mwtutor.exercises import Exercise, check, open_exercise, workspace
from mwtutor.exercises.sources import read
from mwtutor.run.run import Run
from tests.course.lesson import LESSONS

CLUSTERS = [one for lesson in LESSONS for one in lesson.clusters]

#: Workers that train alone without an error, and exchanges that are mixed up.
FEW = ("22-01", "22-29")

#: Seconds within which a program that does not hang exits.
_LIMIT = 120.0


def launched(cluster: Exercise) -> Run:
    """The finished run of the command that the learner is asked to type."""
    words = shlex.split(cluster.launch)
    run = mwtutor.launch(
        words[1],
        workers=int(words[0]),
        chief="--chief" in words,
        ps=int(words[words.index("--ps") + 1]) if "--ps" in words else 0,
        timeout=float(words[words.index("--timeout") + 1]) if "--timeout" in words else _LIMIT,
    )
    run.wait(check=False)
    return run


def verdict(cluster: Exercise, code: str) -> tuple[str, str]:
    """The status and the words of the verdict on a program."""
    opened = open_exercise(cluster.id, new=True)
    opened.file.write_text(read(code).body)
    launched(cluster)
    found = check(cluster.id, {}).verdict
    return found.status, found.words


def marks(cluster: Exercise) -> list[pytest.MarkDecorator]:
    return [pytest.mark.full if cluster.id in FEW else pytest.mark.course]


@pytest.fixture
def desk(work: Path) -> Path:
    return workspace("lesson-22", work)


@pytest.mark.e2e
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "cluster", [pytest.param(one, id=one.id, marks=marks(one)) for one in CLUSTERS]
)
def test_a_broken_cluster(desk, cluster):
    assert verdict(cluster, cluster.stub)[0] == "not yet"
    wrong = [verdict(cluster, one.code) for one in cluster.sabotages]
    assert {status for status, _ in wrong} == {"wrong"}, wrong
    for at, sabotage in enumerate(cluster.sabotages):
        with_words = [one for one, (_, words) in enumerate(wrong) if sabotage.says in words]
        assert with_words == [at], (sabotage.says, wrong)
    assert verdict(cluster, cluster.solution)[0] == "right"


def test_there_are_thirty():
    assert [one.id for one in CLUSTERS] == [f"22-{number:02}" for number in range(1, 31)]


@pytest.mark.parametrize("cluster", CLUSTERS, ids=lambda one: one.id)
def test_an_opened_cluster_is_not_right_before_it_ran(desk, cluster):
    opened = open_exercise(cluster.id)
    assert opened.file.name == read(cluster.stub).file == shlex.split(cluster.launch)[1]
    assert check(cluster.id, {}).verdict.status == "not yet"


@pytest.mark.e2e
def test_an_edited_cluster_must_be_launched_again(desk):
    (hang,) = [one for one in CLUSTERS if one.id == "22-25"]
    opened = open_exercise(hang.id)
    opened.file.write_text(read(hang.solution).body)
    launched(hang)
    opened.file.write_text(f"{read(hang.solution).body}\nprint()\n")
    assert check(hang.id, {}).verdict.words == (
        "These results come from an earlier version of broken_25.py."
        " Launch it again: `%mw_launch 2 broken_25.py --timeout 30`, or `%mw_check --run 22-25`."
    )


@pytest.mark.parametrize("cluster", CLUSTERS, ids=lambda one: one.id)
def test_neither_task_nor_hints_contain_the_repair(cluster):
    """The lines of the repair that are not in the broken program."""
    broken, repaired = ({*read(code).body.split("\n")} for code in (cluster.stub, cluster.solution))
    told = " ".join([cluster.title, cluster.task, *cluster.hints])
    assert not [line for line in repaired - broken if line.strip() and line.strip() in told]
