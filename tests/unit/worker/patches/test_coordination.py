"""The reports about closures: TensorFlow's own queue and workers, without a cluster."""

from __future__ import annotations

import threading

from mwtutor.worker.patches.coordination import INTERVAL, Tally


class Heard:
    def __init__(self) -> None:
        self.said: list[dict[str, object]] = []
        self.quiet = threading.Event()

    def __call__(self, event: str, **fields: object) -> None:
        assert event == "closures"
        self.said.append(fields)
        if fields["scheduled"] and not fields["computing"]:
            self.quiet.set()


def test_the_last_report_is_complete_and_they_are_few():
    heard = Heard()
    tally = Tally(heard, lambda: False)
    for number in range(1000):
        tally.count("scheduled")
        tally.note_begun(number % 2)
        tally.note_done(number % 2)
        tally.note_ended(number % 2)
    assert heard.quiet.wait(20 * INTERVAL)
    last = heard.said[-1]
    assert last == {
        "scheduled": 1000, "retried": 0, "failed": 0, "cancelled": 0,
        "done": {"0": 500, "1": 500}, "computing": [], "waiting": False,
    }  # fmt: skip
    assert len(heard.said) < 20
    tally.tell()
    assert heard.said[-1] is last, "it is said once"


def test_that_the_program_begins_and_ends_to_wait_is_reported():
    heard, waits, changed = [], [False], threading.Event()

    def send(event: str, **fields: object) -> None:
        heard.append(fields["waiting"])
        changed.set()

    tally = Tally(send, lambda: waits[0])
    tally.count("scheduled")
    for now in (False, True, False):
        waits[0] = now
        assert changed.wait(60 * INTERVAL)
        changed.clear()
    tally.count("cancelled")  # nothing is left, so the program does not wait for closures now
    waits[0] = True
    assert changed.wait(60 * INTERVAL)
    assert heard == [False, True, False, False]


def test_nothing_is_reported_of_what_was_not_scheduled():
    heard = Heard()
    Tally(heard, lambda: True).tell()
    assert not heard.said
