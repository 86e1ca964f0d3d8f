"""Replayed histories of whole runs: what the supervisor does, and when."""

from __future__ import annotations

import pytest

from mwtutor.cluster import ClusterSize, TaskId
from mwtutor.run.record.state import RunState, fold
from mwtutor.supervisor import deadlines, restarts
from mwtutor.supervisor.loop import TICK
from tests.unit.supervisor.histories import World

W0, W1 = TaskId("worker", 0), TaskId("worker", 1)

#: How two workers usually start.
FORMED = """
0.1 worker:0 begins
0.1 worker:1 begins
0.4 worker:0 listens
0.6 worker:1 listens
"""

#: How a chief with a parameter server and a worker usually starts.
WITH_PS = """
0.1 chief:0 begins
0.1 worker:0 begins
0.1 ps:0 begins
0.2 chief:0 listens
0.2 worker:0 listens
0.2 ps:0 listens
0.3 ps:0 serves
"""


def test_a_host_that_cannot_be_reached_is_recorded_at_once():
    world = a_world(FORMED + "2 run misses data.example\n3 worker:0 exits 0\n3 worker:1 exits 0")
    assert world.replay().unreachable == {"data.example": "data.example: no answer"}
    assert world.when("unreachable") == [2.0]


def a_world(history: str, workers: int = 2, **given) -> World:
    shape = {name: given.pop(name) for name in ("chief", "ps", "evaluator") if name in given}
    size = ClusterSize(workers, **shape)
    return World(history, size.at([f"h:{port + 1}" for port in range(size.tasks)]), **given)


def statuses(state: RunState) -> dict[str, str]:
    return {str(name): task.status.value for name, task in state.tasks.items()}


def test_from_the_start_to_the_end():
    world = a_world(FORMED + "1.0 worker:0 trains 5\n3.0 worker:0 exits 0\n3.2 worker:1 exits 0")
    state = world.replay()
    assert statuses(state) == {"worker:0": "succeeded", "worker:1": "succeeded"}
    assert (state.outcome.status, state.outcome.reason) == ("succeeded", "")
    assert world.when("cluster_formed") == [0.6]
    assert world.when("run_ended") == [3.2]


def test_tasks_that_say_that_they_listen_are_believed_and_noted_once():
    said = "".join(f"0.7 worker:{index} says-that-it-listens\n" for index in (0, 1))
    brief = FORMED.replace("worker:0 listens", "worker:0 says-that-it-listens") + said
    world = a_world(brief + "0.7 worker:0 exits 0\n0.7 worker:1 exits 0")
    assert not world.replay().never_met()
    assert world.when("cluster_formed") == [0.6]
    assert world.when("listening", "worker:0") == [0.4]
    assert world.when("listening", "worker:1") == [0.6]


def test_a_task_that_a_signal_halts_is_told_of():
    end = "9.0 worker:0 exits 0\n9.0 worker:1 exits 0"
    halted = a_world(FORMED + "1.0 worker:1 halts\n" + end)
    assert halted.replay().tasks[W1].halted > 0
    assert halted.when("task_halted", "worker:1") == [1.0]
    on_again = a_world(FORMED + "1.0 worker:1 halts\n4.0 worker:1 continues\n" + end)
    assert on_again.replay().tasks[W1].halted == 0
    assert on_again.when("task_continued", "worker:1") == [4.0]


def test_a_late_peer_is_waited_for():
    history = FORMED.replace("0.6 worker:1", "90 worker:1") + "91 worker:0 exits 0\n"
    world = a_world(history + "91 worker:1 exits 0")
    seen = []
    world.append = lambda event, durable=False: (
        World.append(world, event),
        seen.append((event.kind, statuses(world.supervisor._state).get("worker:0"))),
    )
    world.replay()
    assert world.when("cluster_formed") == [90.0]
    kinds = [kind for kind, _ in seen]
    before, after = kinds.index("cluster_formed"), kinds.index("task_ended")
    assert dict(seen[before : before + 1]) == {"cluster_formed": "waiting"}
    assert seen[after][1] == "running"


@pytest.mark.parametrize("others", ["", "0.4 worker:0 listens\n"])
def test_a_death_before_the_cluster_forms(others):
    history = "0.1 worker:0 begins\n0.1 worker:1 begins\n" + others + "0.5 worker:1 exits -9"
    world = a_world(history)
    state = world.replay()
    assert world.when("cluster_formed") == []
    assert state.outcome.status == "failed"
    assert state.outcome.reason == "worker:1 was killed by signal 9 (SIGKILL)"
    assert state.outcome.culprit == W1
    assert statuses(state) == {"worker:0": "stopped", "worker:1": "failed"}
    assert world.when("ending") == [0.5]


@pytest.mark.parametrize(
    "raised", ["UnavailableError: gone", "UnknownError: Horovod has been shut down. This was"]
)
def test_a_death_after_the_cluster_has_formed(raised):
    """The dead task's peer notices first and raises an exception, but that is not the cause."""
    history = FORMED + f"5.0 worker:0 raises {raised}\n5.3 worker:1 exits -11"
    world = a_world(history)
    state = world.replay()
    assert state.outcome.reason == "worker:1 was killed by signal 11 (SIGSEGV)"
    assert state.outcome.culprit == W1
    assert world.when("ending") == [5.3]


def test_an_error_as_after_a_loss_without_one():
    world = a_world(FORMED + "5.0 worker:0 raises UnavailableError: gone\n5.1 worker:0 exits 1")
    state = world.replay()
    assert state.outcome.reason == "worker:0 raised UnavailableError: gone (main.py, line 3)"
    assert world.when("ending") == [pytest.approx(5.0 + deadlines.SUSPICION, abs=3 * TICK)]


def test_a_program_that_has_raised_and_does_not_end():
    world = a_world(FORMED + "5.0 worker:0 raises ValueError: no such luck")
    state = world.replay()
    assert statuses(state) == {"worker:0": "failed", "worker:1": "stopped"}
    assert world.when("ending") == [5.0]
    ended = world.when("task_ended", "worker:0")
    assert ended == [pytest.approx(5.0 + deadlines.LAST_WORDS, abs=3 * TICK)]


def test_a_failed_cluster_is_restarted():
    second = FORMED.replace("0.", "7.")
    history = (
        FORMED + "5.0 worker:0 exits 3" + second + "8.0 worker:0 exits 0\n8.0 worker:1 exits 0"
    )
    world = a_world(history, restarts=3)
    state = world.replay()
    assert state.outcome.ok
    assert [attempt.reason for attempt in state.attempts] == ["worker:0 exited with code 3", ""]
    assert world.when("attempt_started") == [pytest.approx(5.0 + restarts.BACK_OFF, abs=3 * TICK)]
    assert [task.attempt for task in world.spawned] == [1, 1, 2, 2]
    assert world.when("cluster_formed") == [0.6, 7.6]


def test_each_wait_before_a_restart_is_longer():
    failures = [f"{at} worker:0 trains {at}\n{at} worker:0 exits 3" for at in (1, 10, 20)]
    world = a_world("\n".join(failures), restarts=2)
    state = world.replay()
    waits = [event["restart_in"] for event in world.events if event["event"] == "attempt_failed"]
    assert waits == [restarts.BACK_OFF, 2 * restarts.BACK_OFF]
    assert state.outcome.reason == "worker:0 exited with code 3; restarted twice"
    assert len(state.attempts) == 3


def test_a_crash_loop_ends():
    failures = "\n".join(f"{10 * number} worker:0 exits 3" for number in (1, 2, 3))
    state = a_world(failures, restarts=100).replay()
    assert state.outcome.reason.endswith("; a crash loop: 3 attempts in a row made no progress")
    assert len(state.attempts) == restarts.LOOP


def test_a_cluster_that_cannot_be_restarted():
    world = a_world(FORMED + "5.0 worker:0 exits 3", restarts=1)
    world.no_more_processes_at = 5.1
    state = world.replay()
    assert state.outcome.status == "failed"
    assert state.outcome.reason == "it could not be restarted: Resource temporarily unavailable"


def test_a_worker_that_served_is_restarted_alone():
    history = (
        WITH_PS
        + """
        0.4 worker:0 serves
        5.0 worker:0 exits -9
        6.0 worker:0 begins
        6.5 worker:0 serves
        9.0 chief:0 exits 0
    """
    )
    world = a_world(history, workers=1, chief=True, ps=1, restarts=1)
    state = world.replay()
    assert state.outcome.ok
    assert world.when("task_lost", "worker:0") == [5.0]
    assert world.when("task_started", "worker:0")[1] == pytest.approx(5.5, abs=3 * TICK)
    assert state.tasks[W0].lost == ("worker:0 was killed by signal 9 (SIGKILL)",)
    assert len(state.attempts) == 1
    assert set(statuses(state).values()) == {"succeeded"}, "what merely served has done its work"


def test_a_worker_that_served_and_cannot_be_started_again():
    history = WITH_PS + "0.4 worker:0 serves\n5.0 worker:0 exits -9\n9.0 chief:0 exits 0"
    world = a_world(history, workers=1, chief=True, ps=1, restarts=1)
    world.no_more_processes_at = 5.1
    state = world.replay()
    assert state.outcome.ok
    assert statuses(state)["worker:0"] == "failed"


def test_a_chief_that_waits_for_workers_that_are_gone_is_not_left_waiting():
    history = WITH_PS + "0.4 worker:0 serves\n4 chief:0 waits-for 7\n5 worker:0 exits -9"
    world = a_world(history, workers=1, chief=True, ps=1)
    state = world.replay()
    reason = (
        "no worker is left to run scheduled closures: worker:0 was killed by signal 9 (SIGKILL)"
    )
    assert (state.outcome.status, state.outcome.reason) == ("failed", reason)
    assert world.when("run_ended") == [pytest.approx(5 + deadlines.STRANDED, abs=3 * TICK)]
    again = history + "\n7 worker:0 serves\n8 worker:0 exits 0"
    state = a_world(again, workers=1, chief=True, ps=1, restarts=1).replay()
    assert state.outcome.reason == (
        "no worker is left to run scheduled closures: worker:0 exited; restarted once"
    )


def test_a_chief_that_only_has_workers_that_are_gone_may_go_on():
    for does in ("schedules 7", "waits-for 0"):
        history = WITH_PS + f"0.4 worker:0 serves\n4 chief:0 {does}\n5 worker:0 exits -9"
        for meanwhile in ("", "\n8 chief:0 waits-for 7\n9 chief:0 schedules 7"):
            ends = history + meanwhile + "\n30 chief:0 exits 0"
            assert a_world(ends, workers=1, chief=True, ps=1).replay().outcome.ok


def test_grace_for_those_that_use_it_and_those_that_do_not():
    world = a_world(FORMED + "5.0 run stops it was stopped", grace=4)
    world.stubborn = {W1}
    state = world.replay()
    assert (state.outcome.status, state.outcome.reason) == ("stopped", "it was stopped")
    assert (state.tasks[W0].exit, state.tasks[W1].exit) == (-15, -9)
    assert world.when("task_ended", "worker:0") == [5.0]
    assert world.when("task_ended", "worker:1") == [pytest.approx(9.0, abs=3 * TICK)]


def test_a_timeout_names_who_was_silent():
    world = a_world(FORMED + "1.0 worker:0 trains 1\n29.5 worker:1 trains 2", timeout=30)
    state = world.replay()
    assert state.outcome.status == "timed out"
    assert state.outcome.reason == "it took more than 30 s; worker:0 was silent for 29 s"
    # The task had enough time to report where it is.
    assert world.when("ending") == [pytest.approx(30.5, abs=3 * TICK)]
    assert statuses(state) == {"worker:0": "stopped", "worker:1": "stopped"}


def test_a_timeout_counts_through_restarts():
    world = a_world("5.0 worker:0 exits 3", restarts=1, timeout=8)
    state = world.replay()
    assert state.outcome.reason.startswith("it took more than 8 s")
    assert len(state.attempts) == 2


def test_a_lost_chief_fails_the_run():
    world = a_world(WITH_PS + "5.0 chief:0 exits -9", workers=1, chief=True, ps=1)
    state = world.replay()
    assert state.outcome.reason == "chief:0 was killed by signal 9 (SIGKILL)"
    assert statuses(state) == {"chief:0": "failed", "worker:0": "stopped", "ps:0": "stopped"}


def test_an_owner_that_goes():
    world = a_world(FORMED + "5.0 run stops it ended with the process that launched it")
    state = world.replay()
    assert state.outcome.status == "stopped"
    assert state.outcome.reason == "it ended with the process that launched it"
    assert world.when("run_ended") == [pytest.approx(5.0, abs=3 * TICK)]


def test_a_cluster_that_is_started_again_elsewhere():
    """As happens with several machines, if one of them no longer exists."""
    world = a_world(FORMED + "5.0 worker:0 exits 3", restarts=1)
    world.moved = ClusterSize(2).at(["elsewhere:1", "elsewhere:2"])
    with pytest.raises(AssertionError, match="it does not end"):
        world.replay()
    state = fold(RunState(), world.events)
    assert state.cluster.address(W1) == "elsewhere:2"
    assert [task.attempt for task in state.tasks.values()] == [2, 2]


def test_a_task_whose_end_is_seen_late_is_to_blame_all_the_same():
    world = a_world(FORMED + "5.0 worker:0 raises UnavailableError: gone\n8.0 worker:1 exits -9")
    world.late = 5.0
    world.lost = {"worker:1": "was lost with its node"}
    state = world.replay()
    assert state.outcome.culprit == W1
    assert state.outcome.reason == "worker:1 was lost with its node"


def test_a_stop_between_two_attempts():
    world = a_world(FORMED + "5.0 worker:0 exits 3\n5.3 run stops it was stopped", restarts=3)
    state = world.replay()
    assert (state.outcome.status, state.outcome.reason) == ("stopped", "it was stopped")
    assert len(world.spawned) == 2
    assert not world.when("attempt_started")


def test_a_stop_comes_too_late_for_a_run_that_has_failed():
    history = FORMED + "5.0 worker:0 raises ValueError: no\n5.1 run stops it was stopped\n"
    state = a_world(history + "5.2 worker:0 exits 1").replay()
    assert state.outcome.status == "failed"


@pytest.mark.parametrize("history", [FORMED, WITH_PS])
def test_the_supervisor_knows_what_its_readers_know(history):
    given = {"workers": 1, "chief": True, "ps": 1} if history == WITH_PS else {}
    world = a_world(history + "9.0 run stops it was stopped", **given)
    assert world.replay() == world.supervisor._state


def test_parameter_servers_stay_as_long_as_a_worker_trains():
    """The worker has steps left when the chief ends, and takes them, as plain processes do."""
    trains = "".join(f"{at} worker:0 trains {at}\n" for at in (40, 80, 120))
    history = WITH_PS + "6.0 chief:0 exits 0\n" + trains + "150 worker:0 exits 0"
    world = a_world(history, workers=1, chief=True, ps=1)
    state = world.replay()
    assert state.outcome.ok
    assert set(statuses(state).values()) == {"succeeded"}
    assert world.when("task_ended", "ps:0") == [pytest.approx(150.0, abs=3 * TICK)]


def test_a_worker_that_falls_silent_after_its_chief_has_not_succeeded():
    history = WITH_PS + "6.0 chief:0 exits 0\n20 worker:0 trains 9"
    state = (world := a_world(history, workers=1, chief=True, ps=1)).replay()
    why = "worker:0 was stopped: chief:0 had ended, and it was silent for 60 s"
    assert (state.outcome.status, state.outcome.reason) == ("stopped", why)
    assert statuses(state) == {"chief:0": "succeeded", "worker:0": "stopped", "ps:0": "succeeded"}
    assert state.tasks[W0].reason == why
    assert world.when("task_ended", "worker:0") == [pytest.approx(80.0, abs=3 * TICK)]


def test_a_synchronous_worker_that_does_not_leave_its_last_step():
    history = "0.1 chief:0 listens\n0.1 worker:0 listens\n6.0 chief:0 exits 0\n30 worker:0 prints"
    state = (world := a_world(history, workers=1, chief=True)).replay()
    assert state.outcome.status == "stopped"
    assert statuses(state) == {"chief:0": "succeeded", "worker:0": "stopped"}
    assert world.when("task_ended", "worker:0") == [pytest.approx(66.0, abs=3 * TICK)]


def test_an_evaluator_that_ends_in_its_time():
    history = "6.0 worker:0 exits 0\n40 evaluator:0 exits 0"
    state = (world := a_world(history, 1, evaluator=True)).replay()
    assert world.task("evaluator:0").told_of_the_end == [6.0]
    assert (state.outcome.status, state.outcome.reason) == ("succeeded", "")


def test_an_evaluator_that_does_not_is_said_to_have_been_stopped():
    state = (world := a_world("6.0 worker:0 exits 0", 1, evaluator=True)).replay()
    assert state.outcome.status == "succeeded", "training has"
    assert "evaluator:0 was still running 60 s after training had ended" in state.outcome.reason
    assert statuses(state)["evaluator:0"] == "stopped"
    assert world.when("run_ended") == [pytest.approx(66.0, abs=3 * TICK)]


def test_an_evaluator_that_fails_is_reported_at_the_end():
    state = a_world("2.0 evaluator:0 exits 1\n6.0 worker:0 exits 0", 1, evaluator=True).replay()
    assert state.outcome.status == "failed"
    assert state.outcome.reason == "evaluator:0 exited with code 1"


@pytest.mark.parametrize(("workers", "words"), [(2, "both workers"), (3, "all 3 workers")])
def test_workers_that_all_raise_the_same(workers, words):
    names = [f"worker:{index}" for index in range(workers)]
    raises = [f"1.{at} {name} raises ValueError: no" for at, name in enumerate(names)]
    ends = [f"1.{at + 4} {name} exits 1" for at, name in enumerate(names)]
    state = (world := a_world("\n".join([*raises, *ends]), workers)).replay()
    assert set(statuses(state).values()) == {"failed"}
    assert not any(task.collateral for task in state.tasks.values())
    place = "(main.py, line 3)"
    assert (
        state.outcome.reason
        == f"worker:0 raised ValueError: no {place}; {words} raised the same error"
    )
    assert world.when("ending") == [1.0], "which is not put off"


@pytest.mark.parametrize("then", ["ValueError: other", "TypeError: no"])
def test_workers_that_raise_something_else(then):
    history = f"1.0 worker:0 raises ValueError: no\n1.1 worker:1 raises {then}\n"
    state = a_world(history + "1.3 worker:0 exits 1").replay()
    assert state.outcome.reason == "worker:0 raised ValueError: no (main.py, line 3)"
    assert statuses(state) == {"worker:0": "failed", "worker:1": "stopped"}


def test_the_others_are_not_waited_for_long():
    world = a_world(FORMED + "5.0 worker:0 raises ValueError: no\n5.1 worker:0 exits 1")
    world.replay()
    ended = pytest.approx(5.0 + deadlines.ALIKE, abs=3 * TICK)
    assert world.when("task_ended", "worker:1") == [ended]


#: A session of two workers that executes a cell from 100 to 300 s, and a short one at 350 s.
CELLS = """
100 worker:0 executes
100 worker:1 executes
200 worker:1 idles
300 worker:0 idles
350 worker:0 executes
350 worker:0 idles
"""


def test_an_idle_session_is_stopped_on_a_shared_machine():
    world = a_world(FORMED + CELLS, session=True, idle=2)
    outcome = world.replay().outcome
    assert (outcome.status, outcome.reason) == (
        "stopped",
        "no cell ran for 2 min, the limit on this shared machine",
    )
    (ended,) = world.when("run_ended")
    assert 470 <= ended <= 471


def test_a_session_that_was_never_used_is_idle_from_its_start():
    world = a_world(FORMED, session=True, idle=1)
    world.replay()
    assert 60 <= world.when("run_ended")[0] <= 61


def test_a_program_is_never_idle():
    end = "9999 worker:0 exits 0\n9999 worker:1 exits 0"
    assert a_world(FORMED + end, idle=1).replay().outcome.status == "succeeded"
