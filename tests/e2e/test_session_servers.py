"""Sessions with parameter servers: cells on the chief, which workers and servers serve."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mwtutor.cluster import ClusterSize, TaskId
from mwtutor.display.panel import text
from mwtutor.display.panel.headline import report
from mwtutor.exceptions import BadInput, CellFailed, CellInterrupted, SessionError
from mwtutor.run.record.events import Counts
from mwtutor.run.record.state import RunState
from mwtutor.run.record.task_status import Status
from tests.support.runs.live_session import W0, W1, Session, interrupt_when
from tests.support.waiting import until_state

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow]

CHIEF, PS0 = TaskId("chief", 0), TaskId("ps", 0)

DEFINED = """
table = tf.Variable(tf.random.normal([8, 4]))
total = tf.Variable(0.0)
"""

FUNCTIONS = """
import pathlib, time

@tf.function
def add():
    total.assign_add(1.0)
    return total.read_value()

def work(steps):
    results = [coordinator.schedule(add) for _ in range(steps)]
    coordinator.join()
    return max(result.fetch() for result in results)
"""


@pytest.fixture(scope="module")
def shared(home: Path) -> Iterator[Session]:
    session = Session(ClusterSize(2, True, 2), partition=32, restarts=9)
    yield session
    session.api.stop()
    assert not Path(session.api.run.spec.program.target).exists(), "sockets were left"


@pytest.fixture
def session(shared: Session) -> Session:
    """The shared session with a partitioned variable, and a variable that counts steps."""
    if not shared.api.tasks or shared.api.run.outcome is not None:
        shared.restart()
    shared.run(DEFINED, scope=True).check()
    shared.run(FUNCTIONS).check()
    return shared


def test_cells_run_on_the_chief_and_steps_on_workers(session):
    assert session.api.tasks == (CHIEF,)
    session.run("print(int(work(20)), num_workers, num_ps, task_type, is_chief)").check()
    assert session.texts(CHIEF) == "20 2 2 chief True\n"
    session.run("print([part.device.split('/')[1:4:2] for part in table.variables])").check()
    assert session.texts(CHIEF) == "[['job:ps', 'task:0'], ['job:ps', 'task:1']]\n"
    statuses = {task: state.status for task, state in session.api.run.tasks.items()}
    assert statuses.pop(CHIEF) is Status.RUNNING
    assert set(statuses.values()) == {Status.SERVING}


def counted(session: Session) -> Counts:
    """The counts of all closures, once the chief has reported what happened to each."""
    session.run("from mwtutor.worker.patches.coordination import _tally").check()
    session.run("coordinator.join(); scheduled = _tally._counts['scheduled']").check()
    scheduled = session.api.pull(["scheduled"], CHIEF)["scheduled"]

    def is_last(state: RunState) -> bool:
        seen = state.closures or Counts()
        over = seen.finished + seen.failed + seen.cancelled
        return seen.scheduled == over == scheduled and not seen.computing

    return until_state(session.api.run, is_last).closures or Counts()


def test_closures_are_counted_and_shown(session):
    before = counted(session)
    session.run("work(50)").check()
    seen = counted(session)
    assert seen.finished - before.finished == seen.scheduled - before.scheduled == 50
    shown = text.render(report(session.api.run.spec, session.api.run.state))
    assert f" {seen.finished}/{seen.scheduled}\n" in shown


@pytest.mark.full
def test_each_variable_and_the_server_that_keeps_it(session):
    session.run("gone = tf.Variable(tf.zeros([99]))", scope=True).check()
    session.run("del gone; own = tf.Variable([1, 2])").check()
    found = {one.name: one for one in session.api.variables()}
    assert not {name for name in found if found[name].shape == (99,)}
    table, total, own = found["table"], found["total"], found["own"]
    assert table.parts
    assert {str(piece.task) for piece in table.pieces} == {"ps:0", "ps:1"}
    assert {piece.shape for piece in table.pieces} == {(4, 4)}
    assert (table.bytes, total.bytes, own.bytes) == (128, 4, 8)
    assert total.pieces[0].task.type == "ps"
    assert own.pieces[0].task == CHIEF


@pytest.mark.full
def test_the_cells_of_the_page_work(session):
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "parameter-servers.md").read_text()
    cells = re.findall(r"^```python\n%%(mw\w*)\n(.*?)^```", page, re.M | re.S)
    assert [verb for verb, _ in cells] == ["mw_scope", "mw"]
    for verb, cell in cells:
        session.run(cell, scope=verb == "mw_scope").check()
    first, last = map(float, session.texts(CHIEF).split())
    assert last < 0.1 < first


@pytest.mark.full
def test_values_come_and_go(session):
    session.api.push({"x": 2})
    session.run("work(3); y = x + float(total); later = coordinator.schedule(add)").check()
    assert session.api.pull(["y"]) == {"y": {"chief:0": 5.0}}
    assert session.api.pull(["table"], CHIEF)["table"].shape == (8, 4)
    with pytest.raises(BadInput, match="fetch it in a cell first"):
        session.api.pull(["later"])


@pytest.mark.full
@pytest.mark.parametrize(("task", "does"), [(W0, "computes"), (PS0, "keeps variables")])
def test_a_task_that_serves_executes_no_cells(session, task, does):
    with pytest.raises(
        BadInput, match=f"{task} executes no cells: it serves the chief, and {does}"
    ):
        session.run("1", task)


@pytest.mark.full
@pytest.mark.parametrize(
    "waits", ["coordinator.join()", "last.fetch()", "while True: coordinator.schedule(add)"]
)
def test_an_interrupt_ends_the_cell_and_not_the_cluster(session, tmp_path, waits):
    session.run(
        "@tf.function\n"
        "def wait(path):\n"
        "    while tf.size(tf.io.matching_files(path)) == 0:\n"
        "        pass"
    ).check()
    begun = tmp_path / "begun"
    interrupt_when(begun)
    result = session.run(
        f"""
last = coordinator.schedule(wait, args=(tf.constant("{tmp_path}/go"),))
pathlib.Path("{begun}").touch()
{waits}
"""
    )
    with pytest.raises(CellInterrupted, match=r"still usable. Scheduled functions continue"):
        result.check()
    session.run("print(coordinator.done())").check()
    assert session.texts(CHIEF) == "False\n"
    (tmp_path / "go").touch()
    session.run("coordinator.join(); print(coordinator.done())").check()
    assert session.texts(CHIEF) == "True\n"


@pytest.mark.full
def test_an_error_of_a_step_is_the_cells_and_the_next_works(session):
    session.run(
        "@tf.function\ndef bad():\n    tf.debugging.assert_less(total.read_value(), 0.0)"
    ).check()
    before = counted(session)
    with pytest.raises(CellFailed, match="InvalidArgumentError on chief:0"):
        session.run("coordinator.schedule(bad); coordinator.join()").check()
    session.run("work(2)").check()
    with pytest.raises(CellFailed, match="InvalidArgumentError on chief:0"):
        session.run("coordinator.schedule(bad)\nwhile True: coordinator.schedule(add)").check()
    session.run("work(1)").check()
    assert counted(session).failed - before.failed == 2


@pytest.mark.full
@pytest.mark.parametrize(
    ("function", "argument", "advice"),
    [
        ("next(given)", "iter(data)", "A scheduled function returned a value of the chief"),
        ("on_chief(given)", "tf.constant(1)", "A scheduled function returned a value of the"),
        ("next(iter(given))", "data", "An argument of a scheduled function cannot be copied to a"),
    ],
)
def test_data_of_the_chief_on_a_worker_get_their_advice(session, function, argument, advice):
    cell = f"""
def on_chief(x):
    with tf.device("/job:chief/task:0"):
        return x + 1

data = tf.data.Dataset.range(8)
result = coordinator.schedule(tf.function(lambda given: {function}), args=({argument},))
coordinator.join()
"""
    with pytest.raises(CellFailed, match="InvalidArgumentError on chief:0") as caught:
        session.run(cell).check()
    assert caught.value.remedy.startswith(advice)


@pytest.mark.full
def test_a_lost_worker_is_restarted_and_no_step_is_lost(session):
    session.run("work(4)").check()
    before, closures = session.api.run.tasks[W1].attempt, counted(session)
    session.api.run.kill("worker:1")
    session.run("work(100); total = float(total)").check()
    # A closure that was lost on its way back is done twice.
    assert session.api.pull(["total"], CHIEF)["total"] in (104.0, 105.0)
    session.run(DEFINED, scope=True).check()
    session.run(FUNCTIONS).check()
    until_state(
        session.api.run,
        lambda state: (
            state.tasks[W1].attempt == before + 1 and state.tasks[W1].status is Status.SERVING
        ),
    )
    session.run("work(100)").check()
    after = counted(session)
    assert after.done.keys() == {W0, W1}
    assert after.finished - closures.finished == 200
    assert (after.failed, after.cancelled) == (closures.failed, closures.cancelled)


@pytest.mark.full
def test_a_server_that_is_halted_is_named_and_when_it_goes_on_so_does_the_cell(session, tmp_path):
    """No error reports the signal: whatever needs the server waits, and is not lost."""
    begun, server = tmp_path / "begun", session.api.run.tasks[PS0].pid

    def go_on() -> None:
        while not begun.exists():
            time.sleep(0.02)
        os.kill(server, signal.SIGCONT)

    os.kill(server, signal.SIGSTOP)
    try:
        halted = until_state(session.api.run, lambda state: state.tasks[PS0].halted > 0)
        threading.Thread(target=go_on, daemon=True).start()
        session.run(f"pathlib.Path('{begun}').touch(); print(int(work(1)))").check()
    finally:
        os.kill(server, signal.SIGCONT)
    assert session.texts(CHIEF) == "1\n"
    shown = text.render(report(session.api.run.spec, halted))
    assert f"resume it with kill -CONT {server}" in shown
    until_state(session.api.run, lambda state: not state.tasks[PS0].halted)


@pytest.mark.full
def test_what_was_exported_runs_as_a_program(session, launch):
    session.run("print('total', int(work(10)))").check()
    session.api.export(Path("exported.py"))
    assert session.api.launch_words(Path("exported.py")).startswith("2 exported.py --chief --ps 2")
    run = launch("exported.py", 2, chief=True, ps=2, keras="2")
    assert run.wait(timeout=90).ok
    assert "total 10\n" in run.spec.log(CHIEF).read_text()


@pytest.mark.full
def test_a_lost_parameter_server_ends_the_session_and_says_so(session):
    session.api.run.kill("ps:0")
    with pytest.raises(
        SessionError, match=r"has ended: ps:0 was killed by signal 9 \(SIGKILL\), and with it"
    ):
        session.run("while True: work(1)")
    session.restart()
    with pytest.raises(CellFailed, match="NameError"):
        session.run("work(1)").check()


@pytest.mark.full
def test_a_cell_that_waits_for_workers_that_are_gone_ends_and_says_why(home):
    session = Session(ClusterSize(2, True, 1))
    try:
        session.run(DEFINED, scope=True).check()
        session.run(FUNCTIONS).check()
        session.run("work(2)").check()
        for worker in (W0, W1):
            os.kill(session.api.run.tasks[worker].pid, signal.SIGSEGV)
        # A worker that is dying may still compute a step.
        until_state(
            session.api.run,
            lambda state: all(state.tasks[worker].status.ended for worker in (W0, W1)),
        )
        with pytest.raises(CellFailed) as caught:
            session.run("work(2)").check()
        assert caught.value.problem.startswith("No worker is left to run scheduled closures: ")
        for worker in (W0, W1):
            assert f"{worker} was killed by signal 11 (SIGSEGV)" in caught.value.problem
        assert session.api.unusable(10.0).startswith("No worker is left")
        session.run("print(float(total))").check()
        assert session.texts(CHIEF) == "2.0\n", "the servers still have the variables"
        session.restart()
        assert session.api.unusable(10.0) == ""
    finally:
        session.api.stop()
