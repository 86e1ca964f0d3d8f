"""Launches of Horovod programs: what is refused, and what a rank finds in its environment."""

from __future__ import annotations

import pytest

from mwtutor.cluster import ClusterSize, TaskId
from mwtutor.commands.dispatch import parse
from mwtutor.commands.parser import MAGIC, TERMINAL
from mwtutor.commands.runs import launch_request
from mwtutor.display.explain import explain_rank
from mwtutor.exceptions import BadInput
from mwtutor.run import horovod
from mwtutor.run.keras_choice import KerasChoice, choose
from mwtutor.run.option_kinds import row
from mwtutor.run.request import LaunchRequest

FOUR = ClusterSize(4).at([f"127.0.0.1:{port}" for port in (12345, 12346, 12347, 12348)])


def request(**options: object) -> LaunchRequest:
    return LaunchRequest("train.py", 4, with_="horovod", **options)


@pytest.mark.parametrize(
    ("name", "value"),
    [("chief", True), ("ps", 1), ("evaluator", True), ("evaluator_gpus", 1), ("comm", "ring"),
     ("keras", "2"), ("machines", 2), ("gpus_per_worker", 2)],
)  # fmt: skip
def test_what_ranks_cannot_have_is_refused_by_name(work, name, value):
    label = row(LaunchRequest, name).label
    with pytest.raises(BadInput, match=label) as raised:
        request(**{name: value}).checked()
    assert "Horovod" in raised.value.problem
    assert raised.value.remedy


def test_a_line_asks_for_it():
    words = ["4", "train.py", "--with", "horovod", "--", "--with", "tensorflow"]
    for style in (MAGIC, TERMINAL):
        made = launch_request(parse("launch", words, style))
        assert (made.with_, made.args) == ("horovod", ("--with", "tensorflow"))


def test_a_session_has_no_ranks(work):
    with pytest.raises(BadInput, match="no ranks of Horovod") as raised:
        LaunchRequest("", 2, with_="horovod").checked("start")
    assert "%mw_launch 4 train.py --with horovod" in raised.value.remedy


def test_the_rest_is_allowed(work):
    made = request(restarts=2, timeout=9.0, threads=1, gpus_per_worker=1, python="python3")
    assert made.checked().python == "python3"
    assert "--with horovod" in made.words()


def test_a_rank_knows_its_place_and_where_all_meet():
    found = [horovod.env(FOUR, task) for task in FOUR.tasks()]
    assert [one["HOROVOD_RANK"] for one in found] == ["0", "1", "2", "3"]
    assert [one["HOROVOD_LOCAL_RANK"] for one in found] == ["0", "1", "2", "3"]
    assert {(one["HOROVOD_SIZE"], one["HOROVOD_LOCAL_SIZE"]) for one in found} == {("4", "4")}
    assert {(one["HOROVOD_CROSS_RANK"], one["HOROVOD_CROSS_SIZE"]) for one in found} == {("0", "1")}
    meeting = ("HOROVOD_GLOO_RENDEZVOUS_ADDR", "HOROVOD_GLOO_RENDEZVOUS_PORT")
    assert {":".join(one[name] for name in meeting) for one in found} == {"127.0.0.1:12345"}
    assert [one[horovod.ADDRESS] for one in found] == list(FOUR.worker)
    assert not any("TF_CONFIG" in one for one in found)


def test_a_rank_explained():
    shown = explain_rank(FOUR, TaskId("worker", 2)).splitlines()
    assert "HOROVOD_RANK=2" in shown
    assert any("worker:2 is rank 2 of 4" in line for line in shown)
    assert any("meet at 127.0.0.1:12345" in line for line in shown)


def test_nothing_is_said_or_set_about_keras():
    """The interpreter's TensorFlow has one; the variable would break ``tf.keras`` there."""
    assert choose(request(), None) == KerasChoice()
