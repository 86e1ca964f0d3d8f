"""A task that only serves notices when training has ended."""

from __future__ import annotations

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.worker import end_of_training


def looks(*rounds: set[str]) -> int:
    """The number of rounds, each with its listeners, after which training counts as ended."""
    number = 0

    def sleep(seconds: float) -> None:
        nonlocal number
        number += 1

    end_of_training.await_end(["a", "b"], lambda address: address in rounds[number], sleep)
    return number + 1


def test_training_has_ended_when_all_were_there_and_none_is_any_more():
    nobody: set[str] = set()
    assert looks(nobody, nobody, nobody, nobody, {"a", "b"}, nobody, nobody, nobody) == 8
    assert looks({"a"}, nobody, nobody, nobody, nobody, {"b"}, nobody, nobody, nobody) == 9
    assert looks({"a", "b"}, nobody, nobody, {"a"}, nobody, nobody, nobody) == 7, "a short pause"


def test_one_that_came_and_went_unseen_is_not_waited_for_without_end():
    nobody: set[str] = set()
    minute = end_of_training._LOOKS_FOR_ALL
    assert looks(nobody, nobody, {"a"}, *[nobody] * minute) == 3 + minute
    assert looks({"a"}, *[nobody] * (minute - 1), {"b"}, *[nobody] * 3) == minute + 4, "he was late"


def test_a_cluster_that_starts_late_has_not_ended():
    nobody: set[str] = set()
    late = end_of_training._LOOKS_FOR_ALL + 1
    assert (
        looks(*[nobody] * late, {"a", "b"}, *[nobody] * end_of_training._LOOKS)
        == late + 1 + end_of_training._LOOKS
    )


def test_who_is_awaited():
    cluster = ClusterSpec(chief=("c:1",), worker=("w:1", "v:1"), ps=("p:1",), evaluator=("e:1",))
    found = {str(task): end_of_training.awaited_peers(cluster, task) for task in cluster.tasks()}
    assert found["worker:1"] == ["c:1"]
    assert found["ps:0"] == found["evaluator:0"] == ["c:1", "w:1", "v:1"]
    assert end_of_training.awaited_peers(ClusterSpec(worker=("w:1",)), TaskId("worker", 0)) == []
