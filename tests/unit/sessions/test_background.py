"""Cells in the background: their order, their results, and what ends them."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from mwtutor.cluster import TaskId
from mwtutor.exceptions import CellFailed, CellInterrupted, Interrupted, NoAnswer, SessionError
from mwtutor.sessions.background import KEPT, BackgroundCell, BackgroundCells
from mwtutor.sessions.execution import Interrupts
from mwtutor.sessions.result import CellResult
from tests.support.waiting import until

DONE = CellResult((TaskId("worker", 0),))


class Cells(BackgroundCells):
    """Cells that each end when the test says so, and a record of when they began and ended."""

    def __init__(self) -> None:
        super().__init__(why_ended=lambda: "")
        self.record: list[str] = []
        self.gates: dict[int, threading.Event] = {}

    def begin(self, count: int, raises: Exception | None = None) -> BackgroundCell:
        gate = self.gates[count] = threading.Event()

        def follow(interrupts: Interrupts) -> CellResult:
            self.record.append(f"{count} begins")
            while not gate.wait(0.01) and not interrupts.count:
                pass
            self.record.append(f"{count} ends")
            if raises is not None:
                raise raises
            return DONE

        return self.add(follow, count, listener=None)

    def free(self) -> None:
        for gate in self.gates.values():
            gate.set()


@pytest.fixture
def cells():
    made = Cells()
    yield made
    made.free()


def test_a_cell_reports_once_how_it_ended(cells):
    endings: list[str] = []
    for cell in (cells.begin(1), cells.begin(2, ValueError("mine")), cells.begin(3)):
        cell.when_done(endings.append)
    cell.interrupt()
    assert endings == ["Cell 3 was interrupted."]
    cells.free()
    until(lambda: len(endings) == 3, otherwise=str(endings))
    assert endings[1:] == ["Cell 1 succeeded.", "Cell 2 failed: ValueError: mine."]
    cells.begin(4, CellFailed("NameError on worker:0.")).when_done(endings.append)
    cells.free()
    until(lambda: len(endings) == 4, otherwise=str(endings))
    assert endings[3] == "Cell 4 failed: NameError on worker:0."
    cells.find(4).when_done(endings.append)  # the cell has ended
    assert endings[4] == endings[3]


def test_a_cell_that_is_cut_short_says_why(cells):
    endings: list[str] = []
    cells.begin(1, ValueError("mine")).when_done(endings.append)
    cells.abandon("the session was restarted", cells.free)
    assert endings == [
        "Cell 1 was cut short, because its session ended: the session was restarted."
    ]


def test_cells_are_executed_in_order_even_if_one_fails(cells):
    one, two = cells.begin(1, ValueError("mine")), cells.begin(2)
    cells.gates[2].set()
    assert not two.wait(0.1)
    assert (cells.record, cells.undone()) == (["1 begins"], [one, two])
    cells.gates[1].set()
    assert two.result(60) is DONE
    assert cells.record == ["1 begins", "1 ends", "2 begins", "2 ends"]
    with pytest.raises(ValueError, match="mine"):
        one.result()
    assert one.done()
    assert cells.undone() == []


def test_a_result_that_does_not_come_in_time_can_be_asked_for_again(cells):
    cell = cells.begin(7)
    with pytest.raises(NoAnswer, match=r"Cell 7 is not done after 0\.01 s\."):
        cell.result(0.01)
    cells.free()
    assert cell.result() is DONE


def test_an_interrupted_cell_is_interrupted_by_its_own_counter(cells):
    cell = cells.begin(1)
    until_begun(cells, "1 begins")
    cell.interrupt()
    assert cell.result(60) is DONE


def test_a_cell_whose_turn_has_not_come_is_never_executed_and_the_next_one_keeps_its_turn(cells):
    cells.begin(1)
    until_begun(cells, "1 begins")
    two, three = cells.begin(2), cells.begin(3)
    two.interrupt()
    assert two.done()
    with pytest.raises(CellInterrupted, match="Cell 2 was interrupted before its turn came"):
        two.result()
    assert not three.wait(0.1)
    cells.free()
    assert three.result(60) is DONE
    assert cells.record == ["1 begins", "1 ends", "3 begins", "3 ends"]


def test_an_interrupt_of_this_process_ends_the_wait_and_not_the_cell(cells):
    cell = cells.begin(5)
    for wait in (cell.result, cells.wait, cell.wait):
        with pytest.raises(Interrupted, match="cell 5 was interrupted; the cell continues"):
            interrupted(wait)
    assert not cell.done()


def test_an_interrupt_while_it_says_for_what_it_waits_ends_the_wait_too(cells, monkeypatch):
    def interrupted_notice(sentence: str) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("mwtutor.notices.notice", interrupted_notice)
    cells.begin(5)
    with pytest.raises(Interrupted, match="cell 5 was interrupted"):
        cells.wait()


def test_what_waits_says_for_what(cells, capsys):
    cells.begin(5)
    cells.free()
    cells.wait()
    cells.wait()
    capsys.readouterr()
    cells.begin(6)
    with pytest.raises(Interrupted):
        interrupted(cells.wait)
    said = "Waiting for cell 6, which is running in the background.\n"
    assert capsys.readouterr().err == said


def test_abandoned_cells_end_and_say_why(cells):
    one, two = cells.begin(1, SessionError("The session has ended.")), cells.begin(2)
    cells.gates[2].set()
    cells.abandon("the session was restarted", cells.gates[1].set)
    assert one.done()
    with pytest.raises(SessionError, match=r"Cell 1 was cut short, because .* was restarted"):
        one.result()
    assert two.done()
    cells.abandon("again", lambda: pytest.fail("nothing is left to stop"))


def test_the_latest_cells_are_kept_and_found_by_number(cells):
    with pytest.raises(SessionError, match="Begin one with %%mw --background"):
        cells.find()
    for count in range(1, KEPT + 4):
        cells.begin(count).interrupt()
        cells.wait()
    running = cells.begin(100)
    assert cells.find() is running
    assert cells.find(KEPT).count == KEPT
    with pytest.raises(
        SessionError, match=r"There is no output of a background cell 2.*\n.*: 4, 5, "
    ):
        cells.find(2)


def test_a_cell_without_a_number_has_a_name(cells):
    assert (cells.begin(0).title, cells.begin(3).title) == ("A cell", "Cell 3")


def until_begun(cells: Cells, line: str) -> None:
    until(lambda: line in cells.record)


def interrupted(wait: Callable[[], object]) -> None:
    """Call a function, and interrupt this process while it waits."""
    main = threading.main_thread().ident
    with ThreadPoolExecutor(1) as pool:
        timer = pool.submit(_interrupt_soon, main)
        try:
            wait()
        finally:
            timer.result()


def _interrupt_soon(thread: int) -> None:
    threading.Event().wait(0.2)
    signal.pthread_kill(thread, signal.SIGINT)
