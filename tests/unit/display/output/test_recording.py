"""The output of a cell in the background is later shown as it would have been in the foreground."""

from __future__ import annotations

import itertools
import os
import re
import threading
from collections.abc import Callable

import pytest

from mwtutor.cluster import TaskId
from mwtutor.display.output.cells import CellDisplay
from mwtutor.display.output.recording import Recording, show
from mwtutor.sessions.result import Output
from tests.unit.display.output.test_merge import Paper

W0, W1 = (TaskId("worker", index) for index in range(2))

FIGURE = Output("display", data={"text/plain": "<Figure>", "image/png": "aGk="})


class Terminal(Paper):
    """A screen and its visible content, with overwritten text and updated displays."""

    def __init__(self, *, folds: bool) -> None:
        super().__init__()
        self._folds = folds
        self.seen: list[str] = [""]
        self.streams: list[tuple[str, str]] = []  # output other than progress
        self._at = 0
        self._displays: dict[str, int] = {}

    @property
    def folds(self) -> bool:
        return self._folds

    def length(self, text: str) -> int:
        return len(text)

    def write(self, stream: str, text: str) -> None:
        super().write(stream, text)
        if not text.startswith("\r"):
            before = self.streams.pop()[1] if stream in dict(self.streams[-1:]) else ""
            self.streams.append((stream, before + text))
        for line in text.splitlines(keepends=True):
            for part in re.split("(\r)", line.rstrip("\n")):
                if part == "\r":
                    self._at = 0
                else:
                    before, after = self.seen[-1][: self._at], self.seen[-1][self._at + len(part) :]
                    self.seen[-1] = (before + part + after).rstrip()
                    self._at += len(part)
            if line.endswith("\n"):
                self._begin_line()

    def _begin_line(self) -> None:
        self.seen.append("")
        self._at = 0

    def display(self, output: Output, key: str) -> None:
        shown = re.sub(' name="[0-9a-f]{32}"', "", str(sorted(output.data.items())))
        if output.kind == "update" and key in self._displays:
            self.seen[self._displays[key]] = shown
            return
        self._displays[key] = len(self.seen) - 1
        self.seen[-1] += shown
        self._begin_line()

    def clear(self, *, wait: bool) -> None:
        self.seen = [""]
        self.streams.clear()
        self._at = 0
        self._displays.clear()


Feed = Callable[[CellDisplay], None]


def text(*pieces: str, stream: str = "stdout", tasks: tuple[TaskId, ...] = (W0, W1)) -> Feed:
    def feed(display: CellDisplay) -> None:
        for piece in pieces:
            for task in tasks:
                display.output(task, Output(stream, piece))
            display.tick()

    return feed


def outputs(*made: Output, tasks: tuple[TaskId, ...] = (W0, W1)) -> Feed:
    def feed(display: CellDisplay) -> None:
        for output in made:
            for task in tasks:
                display.output(task, output)
            display.tick()

    return feed


def apart(lines: int, form: str = "{task} line {n}\n") -> Feed:
    def feed(display: CellDisplay) -> None:
        for n in range(lines):
            for task in (W0, W1):
                display.output(task, Output("stdout", form.format(task=task, n=n)))
            display.tick()

    return feed


def bar(task_says: str = "") -> Feed:
    return text(*(f"\r{n}/50 {'=' * n}{task_says}" for n in range(51)), "\n", stream="stderr")


PAGE = Output("display", data={"text/html": "<b>1</b>", "text/plain": "1"}, display_id="p")
NEXT = Output("update", data={"text/html": "<b>2</b>", "text/plain": "2"}, display_id="p")

FORMS: dict[str, Feed] = {
    "nothing": text(),
    "a line": text("a\n"),
    "an empty line": text("\n"),
    "many empty lines": text("\n" * 1000),
    "blanks": text("   \n\t\n"),
    "half a line": text("no end"),
    "half a line, then the rest": text("one ", "two", "\n"),
    "half a line of one worker": text("mine", tasks=(W1,)),
    "both streams": text("out\n", stream="stdout"),
    "errors": text("err\n", stream="stderr"),
    "streams in turn": lambda d: [text(f"{n}\n", stream=s)(d) for n in range(9) for s in STREAMS],
    "half lines in both streams": lambda d: [text("x ", stream=s)(d) for s in STREAMS],
    "a bar": bar(),
    "a bar without an end": text("\r1/3", "\r2/3", stream="stderr"),
    "a bar that shrinks": text("\r" + "=" * 90, "\r=", "\rdone\n"),
    "a long bar": text("\r" + "=" * 5000, "\r" + "=" * 9000, "\n"),
    "a bar, then a line": lambda d: [bar()(d), text("after\n")(d)],
    "a bar, then an error": lambda d: [text("\r1/9")(d), text("warned\n", stream="stderr")(d)],
    "only a carriage return": text("\r", "\r\n"),
    "lines of a file from Windows": text("a\r\nb\r\n"),
    "backspaces": text("abc\b\b\bxyz\n"),
    "colors": text("\x1b[31mred\x1b[0m\n"),
    "colors without an end": text("\x1b[31mred\n", "still\n"),
    "escape sequences": text("\x1b[2J\x1b[H\x1b]0;title\x07\n"),
    "control characters": text("".join(map(chr, range(32))) + "\n"),
    "binary": text(os.urandom(3000).decode("latin-1") + "\n"),
    "bytes that are not text": text(bytes(range(256)).decode("utf-8", "replace") + "\n"),
    "surrogates": text("\ud800\udfff\n"),
    "other scripts": text("größer 五 👍🏽 \u202eright to left\n"),
    "NUL": text("a\0b\n"),
    "10 MB in one line": text("x" * 10_000_000 + "\n"),
    "10 MB without an end": text("x" * 10_000_000),
    "2 MB in short lines": text("x" * 99 + "\n", *["".join(["y" * 99 + "\n"] * 1000)] * 20),
    "markup": text("<script>alert(1)</script></pre>&amp;\n"),
    "lines that differ": apart(10),
    "many lines that differ": apart(500),
    "many bytes that differ": apart(200, "\x00\xff\r{task} {n} \x1b[3{n}m\x00\xff </pre>\n"),
    "a figure": outputs(FIGURE),
    "two figures": lambda d: [outputs(FIGURE, tasks=(t,))(d) for t in (W1, W0)],
    "an updated display": outputs(PAGE, NEXT, NEXT),
    "a display updated often": outputs(PAGE, *[NEXT] * 300),
    "an update of an older display": outputs(NEXT, NEXT),
    "cleared": lambda d: [text("a\n")(d), outputs(Output("clear"))(d), text("b\n")(d)],
    "cleared for what follows": lambda d: [
        text("a\n")(d),
        outputs(Output("clear", wait=True))(d),
        outputs(FIGURE)(d),
    ],
    "a display without anything": outputs(Output("display", data={})),
    "10 MB in a display": outputs(Output("display", data={"text/html": "x" * 10_000_000})),
}

STREAMS = ("stdout", "stderr")


def display_on(screen, monkeypatch) -> CellDisplay:
    ticks = itertools.count()
    monkeypatch.setattr("mwtutor.display.output.cells.time.monotonic", lambda: next(ticks) * 0.03)
    return CellDisplay([W0, W1], screen, color=True)


def test_forty_forms_of_output_are_tried():
    assert len(FORMS) >= 40


@pytest.mark.parametrize("folds", [True, False], ids=["notebook", "terminal"])
@pytest.mark.parametrize("form", FORMS)
def test_what_is_shown_later_is_what_would_have_been_shown_at_once(form, folds, monkeypatch):
    at_once, later = Terminal(folds=folds), Terminal(folds=folds)
    recording = Recording(later)
    for screen in (at_once, recording):
        display = display_on(screen, monkeypatch)
        FORMS[form](display)
        for task in (W0, W1):
            display.ended(task)
    show(recording, later, lambda seconds: True, 0)
    assert later.seen == at_once.seen
    assert later.streams == at_once.streams
    again = Terminal(folds=folds)
    show(recording, again, lambda seconds: True, 0)
    assert again.shown == later.shown, "it can be shown more than once"


def test_what_is_overwritten_takes_no_room():
    recording = Recording(Terminal(folds=True))
    for n in range(5000):
        recording.write("stdout", f"\r{n} of 5000")
        recording.display(Output("update", data={"text/plain": str(n)}), "page")
    assert recording.steps().qsize() == 2


def test_a_cell_is_followed_while_it_prints_and_left_after_a_time():
    screen, recording = Terminal(folds=True), Recording(Terminal(folds=True))
    recording.write("stdout", "before\n")
    asked = []

    def wait(seconds: float) -> bool:
        asked.append(seconds)
        recording.write("stdout", f"meanwhile {len(asked)}\n")
        return len(asked) == 3

    assert show(recording, screen, wait, 60), "to its end"
    assert "".join(screen.shown) == "before\nmeanwhile 1\nmeanwhile 2\nmeanwhile 3\n"
    asked.clear()
    assert not show(recording, screen, lambda seconds: bool(asked.append(seconds)), 0)
    assert len(asked) == 1
    assert recording._takers == [], "what nobody will show is not kept for anybody"


def test_what_follows_progress_begins_on_its_own_line():
    screen, recording = Terminal(folds=True), Recording(Terminal(folds=True))
    recording.write("stdout", "\r1 of 2")
    show(recording, screen, lambda seconds: False, 0)
    assert screen.shown == ["\r1 of 2", "\n"]


def test_one_thread_may_write_while_another_shows():
    screen, recording = Terminal(folds=True), Recording(Terminal(folds=True))

    def work() -> None:
        for n in range(2000):
            recording.write(STREAMS[n % 2], f"{n}\n")

    thread = threading.Thread(target=work)
    thread.start()
    show(recording, screen, lambda seconds: not thread.is_alive(), 60)
    assert "".join(screen.shown) == "".join(f"{n}\n" for n in range(2000))
