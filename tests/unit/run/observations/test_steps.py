"""Where the time of each step went, computed from the workers' records."""

from __future__ import annotations

import pytest

from mwtutor.cluster import TaskId
from mwtutor.run.observations.moments import Step
from mwtutor.run.observations.steps import divide

W0, W1 = TaskId("worker", 0), TaskId("worker", 1)


def together(count=20, *, sleep=0.05, work=0.005, slow_in_step=False):
    """Two workers that take each step together; worker 1 sleeps before each, or computes in it."""
    first, second = [], []
    at = 100.0
    for n in range(count):
        b0, b1 = at + 0.001, at + 0.001 + (0 if slow_in_step else sleep)
        end = max(b0, b1) + work + (sleep if slow_in_step else 0)
        cpu = work + (sleep if slow_in_step else 0)
        first.append(Step(n, b0, end - b0, work, b0 - at, 0.0, first=not n))
        second.append(Step(n, b1, end - b1, cpu, b1 - at, 0.0, first=not n))
        at = end
    return {W0: tuple(first), W1: tuple(second)}


def test_who_sleeps_before_a_step_is_waited_for():
    seen = divide(together(), 20, coupled=True)
    assert seen.together
    assert seen.typical(W1, "between") == pytest.approx(0.051)
    assert seen.typical(W1, "waiting") == 0
    assert seen.typical(W0, "between") == pytest.approx(0.001)
    # The worker may have been computing for 5 of the 50 ms by which it was early.
    assert seen.typical(W0, "waiting") == pytest.approx(0.045)
    assert (seen.awaited(W0), seen.awaited(W1)) == (W1, None)


def test_who_works_longer_in_a_step_computes_and_the_other_does_not():
    seen = divide(together(slow_in_step=True), 20, coupled=True)
    assert seen.typical(W1, "computing") == pytest.approx(0.055)
    assert seen.typical(W0, "computing") == pytest.approx(0.005)
    assert seen.typical(W0, "rest") == pytest.approx(0.05)
    assert seen.typical(W0, "waiting") == 0  # both had begun, so this worker may not have waited


def test_an_exchange_between_steps_is_waiting():
    noted = {
        task: tuple(Step(s.number, s.begin, s.length, s.cpu, s.since, apart) for s in steps)
        for (task, steps), apart in zip(together(sleep=0.0).items(), (0.0008, 0.0001))
    }
    seen = divide(noted, 20, coupled=True)
    assert seen.typical(W0, "waiting") == pytest.approx(0.0008)
    assert seen.typical(W0, "between") == pytest.approx(0.0002)
    assert seen.awaited(W0) is None  # too short to report


def test_the_parts_of_a_step_are_the_whole_of_it():
    noted = together()
    seen = divide(noted, 20, coupled=True)
    for task, steps in seen.of.items():
        for step, source in zip(steps, noted[task][1:]):
            assert step.whole == pytest.approx(source.length + source.since)
            parts = (step.between, step.exchange, step.computing, step.late, step.rest)
            assert min(parts) >= 0


def test_the_first_step_of_a_training_builds_its_graph_and_is_left_out():
    assert [step.number for step in divide(together(), 20, coupled=True).of[W0]][:2] == [1, 2]


def test_nothing_is_said_of_waiting_between_workers_that_do_not_train_together():
    apart = together()
    apart[W1] = tuple(
        Step(s.number, s.begin + 3.0 * s.number, s.length, s.cpu, s.since, 0.0) for s in apart[W1]
    )
    for noted, coupled in ((apart, True), (together(), False)):
        seen = divide(noted, 20, coupled=coupled)
        assert not seen.together
        assert seen.typical(W0, "waiting") == 0
        assert seen.awaited(W0) is None


def test_only_steps_that_all_have_noted_are_compared():
    noted = together()
    noted[W1] = noted[W1][::4]
    assert [s.number for s in divide(noted, 20, coupled=True).of[W0]] == [4, 8, 12, 16]


def test_one_worker_alone():
    seen = divide({W0: together()[W0]}, 20, coupled=True)
    assert not seen.together
    assert len(seen.of[W0]) == 19


def test_no_steps_at_all():
    assert divide({}, 0, coupled=True).of == {}
    assert divide({W0: (), W1: ()}, 0, coupled=True).of == {}
