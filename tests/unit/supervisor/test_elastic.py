"""Runs that continue with fewer workers: histories, replayed."""

from __future__ import annotations

import pytest

from mwtutor.cluster import ClusterSize, TaskId
from mwtutor.display.panel import text
from mwtutor.display.panel.headline import report
from mwtutor.run.record.events import Unplugged
from mwtutor.supervisor.loop import TICK
from mwtutor.supervisor.restarts import BACK_OFF, LOOP
from tests.support.runs.specs import a_spec
from tests.unit.supervisor.histories import World

W0, W1, W2 = (TaskId("worker", index) for index in range(3))

KILLED = "worker:1 was killed by signal 9 (SIGKILL)"


def a_world(history: str, workers: int, elastic: str = "", **given) -> World:
    size = ClusterSize(workers, given.get("chief", False))
    cluster = size.at([f"h{port}:{port + 1}" for port in range(size.tasks)])
    return World(history, cluster, workers=workers, elastic=elastic, **given)


def sizes(state) -> list[int]:
    return [attempt.workers for attempt in state.attempts]


def test_a_killed_worker_is_left_out_of_the_next_attempt():
    world = a_world("5 worker:1 exits -9\n8 worker:0 exits 0", 2, "1:2")
    state = world.replay()
    assert (state.outcome.status, state.outcome.reason) == (
        "succeeded",
        f"it ended with 1 of 2 workers, because {KILLED}",
    )
    assert sizes(state) == [2, 1]
    assert list(state.cluster.tasks()) == [W0]
    assert [str(task.id) for task in world.spawned] == ["worker:0", "worker:1", "worker:0"]
    assert world.when("attempt_started") == [pytest.approx(5 + BACK_OFF, abs=3 * TICK)]
    assert {str(name): task.status.value for name, task in state.tasks.items()} == {
        "worker:0": "succeeded",
        "worker:1": "left out",
    }
    assert state.tasks[W1].reason == KILLED


def test_the_workers_behind_a_lost_one_move_up_with_their_addresses():
    ends = "\n".join(f"8 worker:{index} exits 0" for index in (0, 1))
    state = a_world(f"5 worker:1 exits -9\n{ends}", 3, "1:3").replay()
    assert state.cluster.worker == ("h0:1", "h2:3")
    assert state.tasks[W2].status.value == "left out"
    assert state.tasks[W2].reason == "worker:1 since attempt 2"


def test_restarts_are_used_first():
    history = """
        1 worker:1 trains 1
        2 worker:1 exits -9
        4 worker:1 trains 2
        5 worker:1 exits -9
        9 worker:0 exits 0
    """
    state = a_world(history, 2, "1:2", restarts=1).replay()
    assert state.outcome.ok
    assert sizes(state) == [2, 2, 1]


def test_a_crash_loop_of_a_worker_loses_it_and_does_not_count_for_the_others():
    failures = [f"{10 * number} worker:1 exits -9" for number in range(1, LOOP + 1)]
    more = [f"{10 * number} worker:0 exits 3" for number in range(LOOP + 1, LOOP + 3)]
    history = "\n".join([*failures, *more, f"{10 * (LOOP + 3)} worker:0 exits 0"])
    state = a_world(history, 2, "1:2", restarts=100).replay()
    assert sizes(state) == [2] * LOOP + [1] * 3


def test_the_smallest_cluster_is_not_made_smaller():
    history = "5 worker:2 exits -9\n9 worker:1 exits -9"
    state = a_world(history, 3, "2:3").replay()
    assert sizes(state) == [3, 2]
    assert (state.outcome.status, state.outcome.reason) == (
        "failed",
        f"{KILLED}; --elastic 2:3 allows no fewer than 2 workers",
    )


@pytest.mark.parametrize("end", ["raises ValueError: no", "exits 3"])
def test_what_the_program_does_is_no_loss(end):
    history = f"5 worker:1 {end}" + "\n5.1 worker:1 exits 1" * ("raises" in end)
    state = a_world(history, 2, "1:2").replay()
    assert state.outcome.status == "failed"
    assert sizes(state) == [2]
    assert "--elastic" not in state.outcome.reason


def test_without_the_option_a_lost_worker_ends_the_run():
    state = a_world("5 worker:1 exits -9", 2).replay()
    assert (state.outcome.status, state.outcome.reason) == ("failed", KILLED)


def test_a_lost_chief_ends_the_run():
    state = a_world("5 chief:0 exits -9", 2, "1:2", chief=True).replay()
    assert (state.outcome.status, sizes(state)) == ("failed", [2])


class Wired(World):
    """A world whose tasks are on machines; a machine's name is the host in its task's address."""

    def establish(self):
        from mwtutor.run.record.events import Machine

        made = tuple(
            Machine(f"machine-{number}", self._cluster.address(task).partition(":")[0], (task,))
            for number, task in enumerate(self._cluster.tasks())
        )
        return super().establish().__class__(self._cluster, 1, 1, machines=made)

    def _happen(self, who, what, rest=""):
        if what == "unplugged":
            return self.supervisor.record(Unplugged(who))
        return super()._happen(who, what, rest)


def test_an_unplugged_worker_is_left_out_although_another_failed_and_restarts_are_left(tmp_path):
    history = """
        4 machine-1 unplugged
        5 worker:0 raises UnavailableError: gone
        5.1 worker:0 exits 1
        7 worker:0 listens
        7 worker:1 listens
        8 worker:0 exits 0
        8 worker:1 exits 0
    """
    size = ClusterSize(3)
    cluster = size.at([f"10.0.0.{port + 1}:{port + 1}" for port in range(3)])
    world = Wired(history, cluster, workers=3, elastic="1:3", restarts=5)
    state = world.replay()
    assert state.outcome.ok
    assert sizes(state) == [3, 2]
    assert state.attempts[0].reason.endswith("; worker:1: unplugged")
    assert state.cluster.worker == ("10.0.0.1:1", "10.0.0.3:3")
    assert [machine.tasks for machine in state.machines] == [(W0,), (), (W1,)]
    assert len(world.when("cluster_formed")) == 1, "the unplugged machine is not part of it"
    shown = text.render(report(a_spec(tmp_path, machines=3, workers=3, elastic="1:3"), state))
    assert "worker:2  left out" in shown, "it has no machine now, and its row has no cells for one"
