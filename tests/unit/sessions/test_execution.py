"""A cell on two workers, real kernels without TensorFlow: followed, interrupted, released."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import zmq

from mwtutor.cluster import TaskId
from mwtutor.exceptions import CellFailed
from mwtutor.sessions import execution
from mwtutor.sessions.execution import Execution, Interrupts
from mwtutor.sessions.link import WorkerLink, new_key, write_connection
from mwtutor.sessions.result import CellResult, Output
from tests.support.waiting import until

#: A cell that continues after a failed test delays the tests after it.
pytestmark = pytest.mark.timeout(120)

ROOT = Path(__file__).parents[3]
W0, W1 = TaskId("worker", 0), TaskId("worker", 1)

ENDLESS = """
import pathlib, signal, time
heard = []
signal.signal(signal.SIGINT, lambda *_: heard.append(1))
print("begun", flush=True)
while not pathlib.Path({file!r}).exists():
    time.sleep(0.01)
    if heard:
        heard.clear()
        print("deaf", flush=True)
"""


@pytest.fixture(scope="module")
def workers() -> Iterator[tuple[WorkerLink, WorkerLink]]:
    directory = Path(tempfile.mkdtemp(prefix="mw-"))  # a socket's path must be short
    context: zmq.Context = zmq.Context()
    processes, links = [], []
    try:
        for task in (W0, W1):
            write_connection(directory, task, new_key())
            argv = ["-m", "tests.support.programs.cell_worker"]
            argv.append(str(directory / f"{task.type}-{task.index}.json"))
            env = {**os.environ, "PYTHONPATH": str(ROOT), "IPYTHONDIR": str(directory / "ipython")}
            processes.append(subprocess.Popen([sys.executable, *argv], env=env))
            links.append(WorkerLink(task, directory, context))
        for link in links:
            until(link.ready, 120)
        yield links[0], links[1]
    finally:
        for process in processes:
            process.kill()
            process.wait()
        for link in links:
            link.close()
        context.term()
        shutil.rmtree(directory)


@dataclass
class Heard:
    """The output that a cell's listener received; each poll calls ``tick`` with this object."""

    tick_with: Callable[[Heard], None] = lambda heard: None
    printed: dict[TaskId, str] = field(default_factory=lambda: {W0: "", W1: ""})
    over: list[TaskId] = field(default_factory=list)

    def output(self, task: TaskId, output: Output) -> None:
        self.printed[task] += output.text

    def ended(self, task: TaskId) -> None:
        self.over.append(task)

    def tick(self) -> None:
        self.tick_with(self)


def run(
    links: Sequence[WorkerLink],
    *codes: str,
    heard: Heard | None = None,
    look: Callable[[], bool] = lambda: False,
) -> CellResult:
    """Execute a cell on two workers, and follow it."""

    def start() -> None:
        for link, code in zip(links, codes * (len(links) // len(codes)), strict=True):
            link.execute(code, {})

    return Execution(links, 2, heard or Heard(), look).follow(start)


def interrupt(times: int, cells: int = 1) -> Callable[[Heard], None]:
    """Interrupt this process when this many cells have printed ``begun``, and again at ``deaf``.

    The other cell has ended by then. A kernel whose cell has not begun would ignore an interrupt.
    """
    sent = []

    def look(heard: Heard) -> None:
        words = ("begun", "deaf")[:times][len(sent) : len(sent) + 1]
        heard_by = sum(bool(words) and words[0] in text for text in heard.printed.values())
        if heard_by == cells == 2 - len(heard.over):
            sent.append(words)
            os.kill(os.getpid(), signal.SIGINT)

    return look


def _be_patient(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    monkeypatch.setattr(execution, "PATIENCE_ABSENT", seconds)
    monkeypatch.setattr(execution, "PATIENCE_FAILED", seconds)


def test_outputs_and_ends_of_all_workers_are_heard(workers):
    heard = Heard()
    result = run(workers, "print('one')", "print('two')", heard=heard)
    assert result == CellResult((W0, W1))
    assert result.ok
    assert heard.printed == {W0: "one\n", W1: "two\n"}
    assert sorted(heard.over) == [W0, W1]


def test_what_one_worker_raises_is_that_workers(workers):
    result = run(workers, "pass", "raise ValueError('no such row')")
    assert not result.ok
    assert (list(result.errors), result.released, result.running) == ([W1], (), ())
    with pytest.raises(CellFailed, match=r"ValueError on worker:1\."):
        result.check()


def test_an_interrupt_reaches_every_worker_and_leaves_them_usable(workers):
    before = signal.getsignal(signal.SIGINT)
    waiting = "print('begun', flush=True)\nimport time\nwhile True: time.sleep(0.01)"
    result = run(workers, waiting, heard=Heard(interrupt(1, cells=2)))
    assert result.interrupted
    assert not result.running
    assert {error.name for error in result.errors.values()} == {"KeyboardInterrupt"}
    assert signal.getsignal(signal.SIGINT) is before
    assert run(workers, "pass").ok


def test_a_cell_in_the_background_has_interrupts_of_its_own(workers):
    waiting = "print('begun', flush=True)\nimport time\nwhile True: time.sleep(0.01)"
    interrupts, heard = Interrupts(), Heard()

    def start() -> None:
        for link in workers:
            link.execute(waiting, {})

    with ThreadPoolExecutor(1) as pool:
        following = pool.submit(
            Execution(workers, 2, heard, lambda: False).follow, start, interrupts
        )
        until(lambda: all("begun" in text for text in heard.printed.values()))
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        assert not following.done()
        interrupts.count += 1
        assert following.result(60).interrupted


def test_an_interrupt_while_the_cell_is_sent_interrupts_it(workers, monkeypatch):
    monkeypatch.setattr(execution, "INTERRUPTING", 30.0)

    def start() -> None:
        signal.raise_signal(signal.SIGINT)
        for link in workers:
            link.execute(
                "import time\nprint('begun', flush=True)\nwhile True: time.sleep(0.01)", {}
            )
            until(lambda link=link: any("begun" in output.text for output in link.outputs()))

    result = Execution(workers, 2, Heard(), lambda: False).follow(start)
    assert result.interrupted
    assert {error.name for error in result.errors.values()} == {"KeyboardInterrupt"}


@pytest.fixture
def endless(workers, tmp_path):
    """A cell that no interrupt ends; it ends with its test, however that ends."""
    end = tmp_path / "end"
    yield ENDLESS.format(file=str(end))
    end.touch()
    until(lambda: (list(workers[0].outputs()), not workers[0].busy)[1])


def test_a_second_interrupt_gives_up_a_cell_that_goes_on(workers, endless, monkeypatch):
    monkeypatch.setattr(execution, "INTERRUPTING", 1e9)
    result = run(workers, endless, "pass", heard=Heard(interrupt(2)))
    assert (result.interrupted, result.running) == (True, (W0,))


def test_interrupted_workers_that_do_not_end_are_given_up_in_time(workers, endless, monkeypatch):
    monkeypatch.setattr(execution, "INTERRUPTING", 0.3)
    result = run(workers, endless, "pass", heard=Heard(interrupt(1)))
    assert (result.interrupted, result.running) == (True, (W0,))


FREED = """
import pathlib, signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
print("begun", flush=True)
try:
    collective()
except RuntimeError:
    print("freed", flush=True)
    while not pathlib.Path({file!r}).exists():
        time.sleep(0.01)
"""


def test_a_worker_that_is_released_has_its_time_from_then(workers, tmp_path, monkeypatch):
    """A busy machine takes a long time to release the worker, and then to end its cell."""
    monkeypatch.setattr(execution, "INTERRUPTING", 1e6)
    clock = Ahead()
    monkeypatch.setattr(execution, "time", clock)
    end, steps = tmp_path / "end", []

    def tick(heard: Heard) -> None:
        if not steps and "begun" in heard.printed[W0] and heard.over:
            os.kill(os.getpid(), signal.SIGINT)
        elif len(steps) == 1 or (len(steps) == 2 and "freed" in heard.printed[W0]):
            clock.by += 6e5
        elif len(steps) == 3:
            end.touch()
        else:
            return
        steps.append(clock.by)

    result = run(workers, FREED.format(file=str(end)), "pass", heard=Heard(tick))
    end.touch()
    until(lambda: (list(workers[0].outputs()), not workers[0].busy)[1])
    assert (result.interrupted, result.released, result.running) == (True, (W0,), ())


def test_no_wait_is_ended_while_another_worker_computes(workers, endless, tmp_path, monkeypatch):
    """The computing worker may be about to join the collective in which the others wait."""
    _be_patient(monkeypatch, 0.05)
    monkeypatch.setattr(execution, "INTERRUPTING", 1e9)
    end, looks = tmp_path / "end", []
    heard = Heard(interrupt(1, cells=2))

    def look() -> None:
        looks.extend([1] * ("deaf" in heard.printed[W1]))
        if len(looks) == 5:
            end.touch()

    result = run(workers, FREED.format(file=str(end)), endless, heard=heard, look=look)
    assert result.released == (W0,)


class Ahead:
    """A clock that is ahead of the others."""

    by = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.by


def test_a_wait_for_a_worker_that_raised_is_ended(workers):
    result = run(workers, "collective()", "raise ValueError('mine')")
    assert result.released == (W0,)
    assert result.errors[W0].released
    with pytest.raises(CellFailed, match=r"ValueError on worker:1\. worker:0 waited for it"):
        result.check()


def test_a_wait_for_a_worker_that_has_no_such_cell_is_ended(workers, monkeypatch):
    _be_patient(monkeypatch, 0.5)
    assert run(workers[:1], "collective()").released == (W0,)
    assert run(workers, "collective()", "pass").released == (W0,)


def test_a_wait_of_all_workers_for_each_other_is_left_alone(workers, monkeypatch):
    """It may be a long collective: only a worker that failed or ended will certainly not join."""
    _be_patient(monkeypatch, 0.05)
    looks = []

    def look() -> None:
        looks.append(1)
        if len(looks) == 4:
            _be_patient(monkeypatch, 60.0)
            for link in workers:
                link.ask("mwtutor_release")

    result = run(workers, "collective()", look=look)
    assert result.released == ()
    assert list(result.errors) == [W0, W1]


@pytest.mark.parametrize(
    "code",
    [
        "import time; time.sleep(2.0)",
        "import time\nend = time.monotonic() + 2.0\nwhile time.monotonic() < end: pass",
    ],
    ids=["idle", "computing"],
)
def test_what_does_not_wait_in_a_collective_is_not_ended(workers, monkeypatch, code):
    _be_patient(monkeypatch, 0.05)
    result = run(workers, code, "raise ValueError('mine')")
    assert (result.released, list(result.errors)) == ((), [W1])


def test_the_death_of_a_worker_ends_the_following(workers):
    before = signal.getsignal(signal.SIGINT)

    def look() -> None:
        raise CellFailed("worker:1 was killed.", "")

    with pytest.raises(CellFailed, match="was killed"):
        run(workers, "import time; time.sleep(0.5)", look=look)
    assert signal.getsignal(signal.SIGINT) is before
    for link in workers:
        until(lambda link=link: (list(link.outputs()), not link.busy)[1])


def test_a_thread_follows_without_touching_signals(workers):
    """Only the main thread receives them."""
    seen = []

    def look(heard: Heard) -> None:
        seen.append((threading.current_thread(), signal.getsignal(signal.SIGINT)))

    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(run, workers, "print('here')", heard=Heard(look)).result()
    assert result.ok
    thread, handler = seen[0]
    assert thread is not threading.main_thread()
    assert handler is signal.getsignal(signal.SIGINT)
