"""Launches of Horovod programs: what is rejected, and the environment of a rank."""

from __future__ import annotations

import pytest

from mwtutor.cluster import ClusterSize, ClusterSpec, TaskId
from mwtutor.commands.dispatch import parse
from mwtutor.commands.runs import launch_request
from mwtutor.display.explain import explain_rank
from mwtutor.exceptions import BadInput
from mwtutor.interface import MAGIC, TERMINAL
from mwtutor.network.machines import machines, ports
from mwtutor.run.request import horovod
from mwtutor.run.request.keras_choice import KerasChoice, choose
from mwtutor.run.request.option_kinds import row
from mwtutor.run.request.options import LaunchRequest
from mwtutor.worker import horovod as horovod_task

FOUR = ClusterSize(4).at([f"127.0.0.1:{port}" for port in (12345, 12346, 12347, 12348)])


def request(**options: object) -> LaunchRequest:
    return LaunchRequest("train.py", 4, with_="horovod", **options)


@pytest.mark.parametrize(
    ("name", "value"),
    [("chief", True), ("ps", 1), ("evaluator", True), ("evaluator_gpus", 1), ("comm", "ring"),
     ("keras", "2"), ("gpus_per_worker", 2)],
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
    with pytest.raises(BadInput, match="not Horovod") as raised:
        LaunchRequest("", 2, with_="horovod").checked("start")
    assert "%mw_launch 4 train.py --with horovod" in raised.value.remedy


def test_the_rest_is_allowed(work):
    made = request(
        restarts=2, timeout=9.0, threads=1, gpus_per_worker=1, machines=2, python="python3"
    )
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
    assert {one[horovod.ADDRESSES] for one in found} == {",".join(FOUR.worker)}
    assert not any("TF_CONFIG" in one for one in found)


@pytest.mark.parametrize(
    ("slots", "local", "across"),
    [
        ((2, 2), [(0, 2), (1, 2), (0, 2), (1, 2)], [(0, 2), (0, 2), (1, 2), (1, 2)]),
        ((2, 1, 1), [(0, 2), (1, 2), (0, 1), (0, 1)], [(0, 3), (0, 1), (1, 3), (2, 3)]),
    ],
)
def test_ranks_on_several_machines_know_their_places(slots, local, across):
    """The values that Horovod's launcher sets for ``-H 10.9.0.1:2,10.9.0.2:1`` and similar."""
    cluster = on_machines(slots)
    found = [horovod.env(cluster, task) for task in cluster.tasks()]
    for scope, wanted in (("LOCAL", local), ("CROSS", across)):
        names = (f"HOROVOD_{scope}_RANK", f"HOROVOD_{scope}_SIZE")
        assert [tuple(int(one[name]) for name in names) for one in found] == wanted
    assert horovod_task.slots(cluster.worker) == ",".join(
        f"10.9.0.{at + 1}:{count}" for at, count in enumerate(slots)
    )
    assert {one["HOROVOD_GLOO_IFACE"] for one in found} == {"eth0"}
    assert {one["HOROVOD_GLOO_RENDEZVOUS_ADDR"] for one in found} == {"10.9.0.1"}


def on_machines(slots: tuple[int, ...]) -> ClusterSpec:
    places = [place for place, count in enumerate(slots) for _ in range(count)]
    known = machines(len(slots))
    at = (
        f"{known[place].address}:{port}" for place, port in zip(places, ports(places), strict=True)
    )
    return ClusterSize(len(places)).at(list(at))


def test_the_neighbors_of_a_rank_are_those_of_its_machine():
    def names(rank: int, count: int) -> list[int]:
        return [task.index for task in horovod.neighbors(TaskId("worker", rank), 5, count)]

    assert names(1, 2) == [0, 1, 2]
    assert names(4, 2) == [3, 4]
    assert names(4, 0) == [0, 1, 2, 3, 4]
    assert horovod.neighbors(TaskId("ps", 1), 0, 2) == ()


def test_a_rank_on_one_of_several_machines_explained():
    shown = explain_rank(on_machines((2, 2)), TaskId("worker", 3)).splitlines()
    (words,) = (line for line in shown if "is rank 3 of 4" in line)
    assert "2 are on its machine, 10.9.0.2, where its local rank" in words
    assert words.endswith("is 1. 2 machines have this local rank; its cross rank among them is 1.")


def test_a_rank_explained():
    shown = explain_rank(FOUR, TaskId("worker", 2)).splitlines()
    assert "HOROVOD_RANK=2" in shown
    assert not any("MWTUTOR" in line for line in shown), "that is between us and the rank"
    assert any("worker:2 is rank 2 of 4" in line for line in shown)
    assert any("meet at 127.0.0.1:12345" in line for line in shown)


def test_nothing_is_said_or_set_about_keras():
    """The interpreter's TensorFlow has one Keras, and the variable would break its ``tf.keras``."""
    assert choose(request(), None) == KerasChoice()
