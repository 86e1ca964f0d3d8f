"""The state of a run after each of its events."""

from hypothesis import example, given
from hypothesis import strategies as st

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.run.record.events import RunStarted
from mwtutor.run.record.state import Attempt, Outcome, RunState, fold
from mwtutor.run.record.task_status import Status

W0, W1 = TaskId("worker", 0), TaskId("worker", 1)
START = RunStarted(ClusterSpec(worker=("h:1", "h:2"), evaluator=("h:3",)), 9, t=1.0).record()


def after(*events):
    return fold(RunState(), [START, *events])


def of(task, event, **fields):
    return {"event": event, "task": task, "t": 2.0, **fields}


def test_a_task_waits_for_those_that_do_not_listen_yet():
    state = after(of("worker:0", "program_started"), of("worker:0", "listening"))
    assert state.tasks[W0].status is Status.WAITING
    assert state.waiting_for() == (W1,)
    assert state.status == "starting"
    state = fold(state, [of("worker:1", "listening"), {"event": "cluster_formed", "t": 3.0}])
    assert state.tasks[W0].status is Status.RUNNING
    assert state.waiting_for() == ()
    assert state.formed == 3.0


def test_a_task_whose_strategy_has_formed_its_cluster_waits_for_nobody():
    joined, listening = of("worker:0", "joined", workers=2), of("worker:0", "listening")
    for both in ((joined, listening), (listening, joined)):
        state = after(of("worker:0", "program_started"), *both)
        assert state.tasks[W0].status is Status.RUNNING


def test_a_failure_after_a_failure_is_collateral():
    ended = {"status": "failed", "exit": 1, "reason": "r"}
    state = after(of("worker:1", "task_ended", **ended), of("worker:0", "task_ended", **ended))
    assert not state.tasks[W1].collateral
    assert state.tasks[W0].collateral


def failed(task, at, reason, **error):
    raised = [of(task, "program_raised", **error) | {"t": at}] if error else []
    ended = of(task, "task_ended", status="failed", exit=1, reason=reason) | {"t": at + 0.2}
    return [*raised, ended]


def test_a_culprit_that_ends_after_its_peers_is_no_consequence():
    lost = failed("worker:0", 5.0, "r", error="UnavailableError", message="Socket closed")
    cause = failed("worker:1", 5.3, "worker:1 exited with code 3")
    end = {"event": "run_ended", "t": 6.0, "status": "failed", "reason": "", "culprit": "worker:1"}
    state = after(*lost, *cause, end)
    assert state.tasks[W0].collateral
    assert not state.tasks[W1].collateral
    assert state.failed_first == state.tasks[W1]


def test_what_failed_long_before_the_culprit_is_no_consequence():
    end = {"event": "run_ended", "t": 9.0, "status": "failed", "reason": "", "culprit": "worker:1"}
    state = after(*failed("worker:0", 5.0, "r"), *failed("worker:1", 8.0, "s"), end)
    assert not state.tasks[W0].collateral
    assert not state.tasks[W1].collateral


def test_a_lost_run_leaves_no_task_running():
    end = {"event": "run_ended", "t": 5.0, "status": "lost", "reason": "gone"}
    state = after(of("worker:0", "program_started"), end)
    assert {task.status for task in state.tasks.values()} == {Status.LOST}
    assert state.outcome == Outcome("lost", "gone", None)
    assert not state.outcome.ok


def test_a_serving_task_stays_serving_when_it_listens():
    state = after(of("worker:0", "serving"), of("worker:0", "listening"))
    assert state.tasks[W0].status is Status.SERVING


def test_each_attempt_and_its_cause_are_known():
    failed = {"event": "attempt_failed", "t": 4.0, "attempt": 1, "reason": "r",
              "culprit": "worker:1", "restart_in": 0.5}  # fmt: skip
    progress = of("worker:0", "progress", step=7, metrics={})
    state = after(of("worker:0", "program_started"), progress, failed)
    assert state.status == "restarting"
    state = fold(state, [{"event": "attempt_started", "t": 5.0, "attempt": 2}])
    assert state.status == "starting"
    assert state.tasks[W0].step is None
    end = {"event": "run_ended", "t": 9.0, "status": "succeeded", "reason": "", "culprit": None}
    state = fold(state, [end])
    assert state.attempts == (
        Attempt(1, 1.0, 4.0, "r", W1, workers=2),
        Attempt(2, 5.0, 9.0, workers=2),
    )


def test_a_task_that_alone_was_started_again_keeps_its_past():
    started = of("worker:0", "task_started", pid=3, started=2.0)
    ended = of("worker:0", "task_ended", status="failed", exit=-9, reason="r")
    state = after(started, ended, of("worker:0", "task_lost", attempt=1, restart_in=0.5))
    state = fold(state, [{**started, "attempt": 2}])
    assert (state.tasks[W0].attempt, state.tasks[W0].lost) == (2, ("r",))
    assert state.tasks[W0].status is Status.STARTING


def test_a_number_that_no_float_holds_changes_nothing():
    state = RunState()
    assert fold(state, [{"event": "progress", "t": 10**400, "task": "worker:0"}]) == state


MIRRORED = {**START, "cluster": {"worker": ["h:1", "h:2"]}}
TRAINS = [of(f"worker:{i}", "progress", step=3, metrics={}) for i in (0, 1)]


def test_workers_that_train_without_having_met_are_known_while_they_do():
    state = fold(RunState(), [MIRRORED, TRAINS[0]])
    assert state.apart() == (W0,)
    assert fold(state, [TRAINS[1]]).apart() == (W0, W1)
    joined = [of("worker:0", "listening"), of("worker:1", "listening")]
    assert fold(state, [*joined, TRAINS[1]]).apart() == ()
    alone = fold(RunState(), [{**MIRRORED, "cluster": {"worker": ["h:1"]}}, TRAINS[0]])
    assert alone.apart() == (), "nobody to meet"
    served = {"chief": ["h:1"], "worker": ["h:2"], "ps": ["h:3"]}
    assert fold(RunState(), [{**MIRRORED, "cluster": served}, TRAINS[0]]).apart() == ()


def test_a_run_that_succeeded_without_a_cluster_is_known():
    end = {"event": "run_ended", "t": 5.0, "status": "succeeded", "reason": ""}
    assert fold(RunState(), [MIRRORED, end]).never_met()
    assert not fold(RunState(), [MIRRORED, of("worker:0", "listening"), end]).never_met()
    assert not fold(RunState(), [MIRRORED, {**end, "status": "failed"}]).never_met()
    made = of("worker:0", "strategy", wanted="AUTO", by="TensorFlow")
    assert not fold(RunState(), [MIRRORED, made, end]).never_met(), "at its own address"
    alone, both = (of("worker:0", "joined", workers=number) for number in (1, 2))
    assert fold(RunState(), [MIRRORED, made, alone, end]).never_met()
    assert not fold(RunState(), [MIRRORED, made, both, end]).never_met()


def some_events(task):
    """Events of a task as a log may contain them: in any order, whole or damaged."""
    numbers = st.sampled_from([1.0, 2, True, None, "x", float("nan"), 10**400, -(10**30)])
    progress = {"step": st.integers(0, 3), "t": st.sampled_from([2.0, 3.5, None, "x", 10**400])}
    metrics = st.dictionaries(st.sampled_from(["loss", "a\x1bb"]), numbers, max_size=2)
    progress["metrics"] = metrics | st.sampled_from([None, 3, []])
    others = ["task_started", "program_started", "listening", "serving", "task_ended", "strange"]
    reports = st.fixed_dictionaries({}, optional=progress)
    return st.one_of(
        reports.map(lambda fields: of(task, "progress", **fields)),
        st.sampled_from(others).map(lambda kind: of(task, kind, status="failed", exit=1)),
    )


@example([of("worker:0", "progress", step=3, metrics={}), of("worker:0", "progress", metrics=3)])
@example([of("worker:0", "progress", step=3, metrics={}), of("worker:0", "listening"),
          of("worker:0", "progress", metrics={})])  # fmt: skip
@example([of("worker:0", "progress", step=3, metrics={}),
          of("worker:0", "progress", metrics={"loss": 10**400})])  # fmt: skip
@given(
    st.lists(st.sampled_from(["worker:0", "worker:1", "ps:7", "x", None, []]).flatmap(some_events))
)
def test_events_at_once_lead_where_they_lead_one_by_one(events):
    one_by_one = fold(RunState(), [START])
    for event in events:
        one_by_one = fold(one_by_one, [event])
    assert repr(after(*events)) == repr(one_by_one), "by what is shown of it: NaN equals nothing"


MACHINES = {
    **START,
    "cluster": {"worker": ["h:1", "h:2"]},
    "machines": [
        {"name": f"machine-{n}", "address": f"10.9.0.{n + 1}", "link": "1gbit",
         "tasks": [f"worker:{n}"]} for n in (0, 1)
    ],
}  # fmt: skip


def test_who_is_unplugged_and_what_its_link_carries_is_known():
    def wired(*events):
        return fold(RunState(), [MACHINES, *events]).machine_of(W1)

    pulled = {"event": "unplugged", "t": 5.0, "machine": "machine-1"}
    assert (wired().unplugged, wired().link, wired().tasks) == (0.0, "1gbit", (W1,))
    assert wired(pulled).unplugged == 5.0
    assert wired(pulled, {"event": "plugged", "t": 7.0, "machine": "machine-1"}).unplugged == 0.0
    slower = {"event": "link_changed", "t": 8.0, "machine": "machine-1", "link": "5mbit"}
    assert (wired(pulled, slower).link, wired(pulled, slower).unplugged) == ("5mbit", 5.0)
    assert wired({**pulled, "machine": "machine-7"}) == wired()
    assert after().machine_of(W1) is None


def test_who_fails_after_a_worker_is_told_apart_by_whether_that_served():
    """An Estimator's workers train, so the chief stops, too; a coordinator's are replaceable."""
    served = {**START, "cluster": {"chief": ["h:1"], "worker": ["h:2"], "ps": ["h:3"]}}
    ended = {"status": "failed", "exit": 1, "reason": "r"}
    ends = [of("worker:0", "task_ended", **ended), of("chief:0", "task_ended", **ended)]
    trained = fold(RunState(), [served, *ends])
    assert trained.tasks[TaskId("chief", 0)].collateral
    again = [of("worker:0", "serving"), ends[0], of("worker:0", "task_started", attempt=2), *ends]
    driven = fold(RunState(), [served, *again])
    assert not driven.tasks[TaskId("chief", 0)].collateral
    assert driven.dispensable == {W0}, "it has served, before it was started again"


def test_a_session_executes_as_long_as_one_task_does_and_is_broken_as_soon_as_one_is():
    idle = [of(task, "idle") for task in ("worker:0", "worker:1")]
    begun = [of(task, "program_started") for task in ("worker:0", "worker:1", "evaluator:0")]
    assert after(*begun).status == "running", "a program"
    state = after(*begun, *idle)
    assert state.status == "idle"
    both = [of("worker:0", "executing", cell=4) | {"t": 5.0}, of("worker:1", "executing", cell=4)]
    state = fold(state, [*both, of("worker:1", "idle")])
    assert (state.status, state.cells.number, state.cells.since) == ("executing", 4, 5.0)
    assert state.tasks[W0].cells.words == "executing cell 4"
    assert state.tasks[W1].cells.words == "idle"
    behind = fold(state, [of("worker:0", "executing", cell=4, background=True)])
    assert behind.tasks[W0].cells.words == "executing cell 4 in the background"
    state = fold(state, [of("worker:0", "idle", lost="no"), of("worker:0", "executing", cell=5)])
    assert (state.status, state.cells.lost) == ("collectives broken", "no")
    state = fold(state, [of("worker:0", "idle")])
    assert state.status == "collectives broken", "nothing but fresh workers mends them"
    assert fold(state, [of("worker:0", "task_started", pid=5, born=6)]).tasks[W0].cells is None
    assert not state.cells.released
    state = fold(state, [of("worker:1", "idle", lost="cut", released=True), of("worker:1", "idle")])
    assert state.cells.released, "one task is enough"
