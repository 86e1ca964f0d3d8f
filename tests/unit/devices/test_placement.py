"""Which task gets which GPU, on machines of every kind."""

from __future__ import annotations

import pytest

from mwtutor.cluster import ClusterSize, TaskId
from mwtutor.devices.gpus import VISIBLE
from mwtutor.devices.placement import GROWTH, Placement, Wish, place
from mwtutor.exceptions import BadInput
from tests.support.machines.nvml import machine

W0, W1, EVALUATOR, PS = (
    TaskId("worker", 0),
    TaskId("worker", 1),
    TaskId("evaluator", 0),
    TaskId("ps", 0),
)


def placed(name: str, workers: int = 2, setting: str | None = None, **wish: object) -> Placement:
    return place(Wish(**wish), ClusterSize(workers), machine(name), setting)


def seen(placement: Placement) -> list[str]:
    """The value of CUDA_VISIBLE_DEVICES in each task; '' if unset."""
    return [placement.env(task, {}).get(VISIBLE, "") for task in placement.devices]


def ids(name: str) -> list[str]:
    return [device.id for device in machine(name).devices]


def test_what_there_is_is_shared_out_in_equal_parts():
    assert seen(placed("two")) == ids("two")
    assert placed("two").words == "1 GPU each"
    eight = ids("eight")
    assert seen(placed("eight")) == [",".join(eight[:4]), ",".join(eight[4:])]
    assert seen(placed("eight", 3)) == [",".join(eight[i : i + 2]) for i in (0, 2, 4)]
    assert placed("eight", 3).words == "2 GPUs each, 2 left over"
    assert placed("eight", 1).words == "8 GPUs"


def test_a_chief_trains_too_and_parameter_servers_and_evaluators_get_none():
    size = ClusterSize(1, chief=True, ps=1, evaluator=True)
    made = place(Wish(), size, machine("two"), None)
    assert made.env(PS, {}) == made.env(EVALUATOR, {}) == {VISIBLE: "-1"}
    assert [made.env(task, {})[VISIBLE] for task in made.training()] == ids("two")


def test_an_evaluator_gets_what_it_is_given_and_the_others_share_the_rest():
    made = place(Wish(evaluator=1), ClusterSize(2, evaluator=True), machine("eight"), None)
    assert made.env(EVALUATOR, {}) == {VISIBLE: ids("eight")[7]}
    assert made.words == "3 GPUs each, 1 left over"
    assert placed("eight", evaluator=1).words == "4 GPUs each", "there is no evaluator"


def test_without_a_gpu_nothing_is_set_and_the_status_says_cpu():
    for name in ("none", "no_library", "not_loaded"):
        made = placed(name)
        assert seen(made) == ["", ""]
        assert made.words == "on CPU"
        assert placed(name, share=True).words == "on CPU"


def test_more_workers_than_gpus_use_the_cpu_all_of_them_and_say_so():
    made = placed("one")
    assert seen(made) == ["-1", "-1"]
    assert made.words == "on CPU: 1 GPU for 2 workers (--share-gpus lets them share)"
    assert not made.mixed


def test_workers_share_when_asked_and_take_memory_as_they_need_it():
    made = placed("one", share=True)
    assert seen(made) == ids("one") * 2
    assert made.env(W0, {})[GROWTH] == "true"
    assert GROWTH not in made.env(W0, {GROWTH: "false"}), "the user's own setting is respected"
    assert made.words == "sharing 1 GPU, memory grows as needed"
    three = placed("two", 3, share=True)
    assert seen(three) == [ids("two")[i] for i in (0, 1, 0)]
    enough = placed("two", share=True)
    assert not enough.shared
    assert GROWTH not in enough.env(W0, {})


def test_cuda_visible_devices_that_is_set_is_respected():
    assert seen(placed("eight", setting="5,3")) == ["5", "3"]
    uuid = ids("eight")[6]
    assert seen(placed("eight", 1, setting=uuid)) == [uuid]
    hidden = placed("eight", setting="")
    assert seen(hidden) == ["", ""], "what hides them is there already"
    assert hidden.words == "on CPU: CUDA_VISIBLE_DEVICES= hides 8 GPUs"
    assert "1 GPU for 2 workers" in placed("eight", setting="4").words


def test_a_process_can_use_one_mig_part_only():
    assert seen(placed("mig")) == ids("mig")
    one = placed("mig", 1)
    assert seen(one) == ids("mig")[:1]
    assert one.words == "1 GPU, 1 left over"
    assert placed("mig").one_card
    assert not placed("mig").shared
    assert not placed("eight").one_card
    old = f"MIG-{machine('mig').devices[1].card}/2/0"
    assert seen(placed("mig", 1, setting=old)) == [old]
    with pytest.raises(BadInput, match="MIG instance") as raised:
        placed("mig", 1, per_worker=2)
    assert "--gpus-per-worker 1" in raised.value.remedy


def beside(name: str, others: dict[str, list[str]], workers: int = 1, **wish: object) -> Placement:
    return place(Wish(**wish), ClusterSize(workers), machine(name), None, others)


def test_the_gpus_of_other_runs_are_left_to_them():
    first, second = ids("two")
    made = beside("two", {"main": [first, "-1"]})
    assert (seen(made), made.words) == (
        [second],
        "1 GPU, not counting those in use by the run main",
    )
    by_number = beside("two", {"main": ["1"]})
    assert seen(by_number) == [first], "by whatever name they were given"
    two = beside("two", {"main": [first]}, workers=2)
    assert seen(two) == ["-1", "-1"]
    assert two.words.startswith(
        "on CPU: 1 GPU for 2 workers, not counting those in use by the run main"
    )
    part, other = ids("mig")
    assert seen(beside("mig", {"main": [part]})) == [other]
    assert seen(beside("two", {"main": ["-1"]}, workers=2)) == ids("two")


def test_when_other_runs_use_all_gpus_the_cpu_is_used_or_they_are_shared():
    others = {"main": [ids("two")[0]], "session": [ids("two")[1]]}
    made = beside("two", others)
    assert (seen(made), made.words) == (
        ["-1"],
        "on CPU: all GPUs are in use by the runs main, session",
    )
    with pytest.raises(BadInput, match="all GPUs are in use by the runs main, session") as raised:
        beside("two", others, per_worker=1)
    assert "%mw_stop main" in raised.value.remedy
    assert "--share-gpus" in raised.value.remedy
    shared = beside("two", others, per_worker=1, share=True)
    assert seen(shared) == ids("two")[:1]
    assert shared.env(W0, {})[GROWTH] == "true"
    assert shared.words == "sharing 1 GPU with the run main, memory grows as needed, 1 left over"


def test_the_cpu_can_be_asked_for():
    made = placed("two", per_worker=0)
    assert seen(made) == ["-1", "-1"]
    assert made.words == "on CPU, as requested"


@pytest.mark.parametrize(
    ("name", "wish", "problem", "remedy"),
    [
        (
            "one",
            {"per_worker": 1},
            "2 GPUs are needed, but only 1 GPU is available",
            "--share-gpus",
        ),
        ("eight", {"per_worker": 5}, "10 GPUs are needed", "--gpus-per-worker 0"),
        ("two", {"per_worker": 3, "share": True}, "3 GPUs are needed", "Request fewer"),
        ("no_library", {"per_worker": 1}, "there is no NVIDIA driver", "%mw_doctor"),
        ("none", {"per_worker": 2}, "the driver lists none", "train on the CPU"),
    ],
)
def test_more_than_there_is_is_refused(name, wish, problem, remedy):
    with pytest.raises(BadInput) as raised:
        placed(name, **wish)
    assert problem in raised.value.problem
    assert remedy in raised.value.remedy


def test_a_divided_gpu_without_instances_is_named():
    with pytest.raises(BadInput, match=r"GPU-.* hides 2 GPUs"):
        placed("mig", 1, setting=machine("mig").gpus[1].whole.id, per_worker=1)


def test_ranks_of_horovod_see_all_gpus_and_take_one_each():
    made = placed("eight", 3, most=1)
    first = ",".join(ids("eight")[:3])
    assert seen_by_all(made) == [first] * 3
    assert made.words == "1 GPU each, 5 left over"
    assert seen_by_all(placed("two", 3, most=1)) == ["-1"] * 3


def seen_by_all(made: Placement) -> list[str]:
    return [made.env(task, {}, neighbors=list(made.devices))[VISIBLE] for task in made.devices]


def test_ranks_of_horovod_see_the_gpus_of_their_machine():
    made = placed("eight", 4, most=1)
    tasks = list(made.devices)
    assert made.env(tasks[2], {}, neighbors=tasks[2:])[VISIBLE] == ",".join(ids("eight")[2:4])
