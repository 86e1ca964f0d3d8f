"""Log lines: as a terminal would show them, in chronological order, for any bytes."""

from __future__ import annotations

import os
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mwtutor import sanitize
from mwtutor.cluster import TaskId
from mwtutor.display.panel import text
from mwtutor.run.logs import log_index, logs
from mwtutor.run.record.spec import RunSpec
from tests.support.runs.specs import a_spec

W0, W1 = TaskId("worker", 0), TaskId("worker", 1)
NOISE = "I0000 00:00:1795225299.237274    4965 port.cc:153] oneDNN custom operations are on."


@pytest.fixture
def spec(tmp_path: Path) -> RunSpec:
    (tmp_path / "logs").mkdir()
    return a_spec(tmp_path)


def write(spec: RunSpec, task: TaskId, *chunks: tuple[float, str]) -> None:
    """A log and its index, as a task and its supervisor write them."""
    data = b""
    index = b""
    for at, chunk in chunks:
        index += log_index.ENTRY.pack(len(data), at)
        data += chunk.encode()
    spec.log(task).write_bytes(data)
    spec.log(task).with_suffix(".idx").write_bytes(index)


def new_lines(follower, *, at_end):
    return [line for lines in follower.new(at_end=at_end) for line in lines]


def texts(found):
    return [f"{line.task} {line.text}" for line in found]


def test_lines_of_all_tasks_are_merged_by_time(spec):
    write(spec, W0, (1, "a\n"), (3, "c\nd\n"), (5, "f\n"))
    write(spec, W1, (2, "b\n"), (4, "e\n"))
    expected = ["worker:0 a", "worker:1 b", "worker:0 c", "worker:0 d", "worker:1 e", "worker:0 f"]
    assert texts(logs.lines(spec, [W0, W1])) == expected
    for last in range(1, 7):
        assert texts(logs.lines(spec, [W0, W1], last=last)) == expected[-last:]


def test_grep_and_a_single_task(spec):
    write(spec, W0, (1, "loss 1\nother\nloss 2\n"))
    write(spec, W1, (2, "loss 3\n"))
    assert texts(logs.lines(spec, [W0], grep=r"loss \d")) == ["worker:0 loss 1", "worker:0 loss 2"]
    assert texts(logs.lines(spec, [W0, W1], grep="loss", last=1)) == ["worker:1 loss 3"]


def test_noise_is_counted_and_shown_raw(spec):
    write(spec, W0, (1, f"{NOISE}\n{NOISE}\nhello\n"))
    folded = logs.lines(spec, [W0])
    assert [line.folded for line in folded] == [2, 0]
    assert "2 lines of TensorFlow's own messages" in folded[0].text
    assert [line.text for line in logs.lines(spec, [W0], raw=True)] == [NOISE, NOISE, "hello"]


CALL = '  File "/venv/lib/python3.12/site-packages/keras/src/layer.py", line 7, in call'
OWN = '  File "/home/me/main.py", line 4, in call'
HISTORY = ["defined at:", OWN, "", CALL, "", CALL, "", OWN, "", CALL, "", "no such row", " [[a]]"]
SHORT = ["defined at:", OWN, "", "4 lines", OWN, "", "2 lines", "no such row", " [[a]]"]


def short(found):
    return [f"{line.folded} lines" if line.folded else line.text for line in found]


def test_calls_of_packages_in_the_history_of_an_operation_are_counted(spec):
    write(spec, W0, (1, "".join(f"{line}\n" for line in HISTORY)))
    write(spec, W1, (1, f"{CALL}\n    source()\n"))
    assert short(logs.lines(spec, [W0])) == SHORT
    assert [line.text for line in logs.lines(spec, [W0], raw=True)] == HISTORY
    for last in range(1, 10):
        assert short(logs.lines(spec, [W0], last=last)) == SHORT[-last:]
    assert short(logs.lines(spec, [W1])) == [CALL, "    source()"], "a traceback of Python's"


@pytest.mark.parametrize("cut", range(len(HISTORY)))
def test_a_history_is_folded_wherever_it_is_read_up_to(spec, cut):
    text = "".join(f"{line}\n" for line in HISTORY)
    follower = logs.Follower(spec, [W0])
    found = []
    for end in (sum(len(line) + 1 for line in HISTORY[:cut]), len(text)):
        write(spec, W0, (1, text[:end]))
        found += new_lines(follower, at_end=end == len(text))
    told = [line for line in short(found) if not line.endswith(" lines")]
    assert told == [line for line in SHORT if not line.endswith(" lines")]
    assert sum(line.folded for line in found) == 6


#: A dump as a server prints it; other lines with braces or colons are the program's own.
SETTINGS = """
I0000 00:00:17.384078 11853 eager_service_impl.cc:355] SessionOptions: goo.gle/debugproto
device_count {
  key: "CPU"
  value: 1
}
gpu_options {
  experimental {
  }
}
allow_soft_placement: true
experimental {
  collective_group_leader: "/job:ps/replica:0/task:0"
}

""".lstrip("\n").splitlines()
OWN_WORDS = ["step {", "  loss: 3", "}", "", "loss: 3", "}"]


OLD_SETTINGS = [
    "2026-11-22 18:19:12.641: I core/eager_service_impl.cc:318] SessionOptions: device_count {",
    *SETTINGS[2:],
]


def test_the_settings_of_an_older_server_are_counted(spec):
    write(spec, W0, (1, "".join(f"{line}\n" for line in [*OLD_SETTINGS, *OWN_WORDS])))
    assert short(logs.lines(spec, [W0])) == [f"{len(OLD_SETTINGS)} lines", *OWN_WORDS]


def test_the_settings_of_a_server_are_counted(spec):
    write(spec, W0, (1, "".join(f"{line}\n" for line in ["a", *SETTINGS, *OWN_WORDS])))
    expected = ["a", f"{len(SETTINGS)} lines", *OWN_WORDS]
    assert short(logs.lines(spec, [W0])) == expected
    assert [line.text for line in logs.lines(spec, [W0], raw=True)] == ["a", *SETTINGS, *OWN_WORDS]
    for last in range(1, len(expected) + 1):
        assert short(logs.lines(spec, [W0], last=last)) == expected[-last:]


def test_what_follows_the_settings_of_a_server_at_once_is_shown(spec):
    """Wherever the settings were cut off, the first line that does not belong to them ends them."""
    for cut in range(1, len(SETTINGS)):
        for own in ("loss: 3", "hello", "  a: 1 2", "        }"):
            lines = [*SETTINGS[:cut], own, "}", "end"]
            write(spec, W0, (1, "".join(f"{line}\n" for line in lines)))
            assert short(logs.lines(spec, [W0])) == [f"{cut} lines", own, "}", "end"]


@pytest.mark.parametrize("cut", range(1, len(SETTINGS) + 2))
def test_the_settings_of_a_server_are_folded_wherever_they_are_read_up_to(spec, cut):
    lines = [*SETTINGS, *OWN_WORDS]
    follower = logs.Follower(spec, [W0])
    found = []
    for end in (cut, len(lines)):
        write(spec, W0, (1, "".join(f"{line}\n" for line in lines[:end])))
        found += new_lines(follower, at_end=end == len(lines))
    assert [line.text for line in found if not line.folded] == OWN_WORDS
    assert sum(line.folded for line in found) == len(SETTINGS)


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (f"Traceback (most recent call last):\n  File\nOSError: no\n{NOISE}\n\n", "OSError: no"),
        ("a.b.OddError\nbye\n", "a.b.OddError"),
        (f"first\n\x1b[31mlast\x1b[0m  \n{NOISE}", "last"),
        ("Errors are rare\nlast\n", "last"),
        (NOISE, ""),
        ("", ""),
    ],
)
def test_the_last_words_of_a_process(output, words):
    assert logs.last_words(output.encode()) == words


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"\r1/3 [=>..] 1\r2/3 [==>.] 2\r3/3 [====] 3", "3/3 [====] 3"),
        (b"50%\b\b\b75%", "75%"),
        (b"\x1b[31mred\x1b[0m \x1b]0;title\x07 \x1b[2J", "red"),
        (b"\x1b7saved\x1b8 \x1b(B\x1b[mreset", "saved reset"),
        (b"long line\r\x1b[Kshort", "short"),
        (b"long line\x1b[2K\rshort", "short"),
        (b"\x1b[31m\x1b[Kfound\x1b[m\x1b[K: here", "found: here"),
        (b"nul\x00 bell\x07", "nul bell"),
        (b"caf\xc3\xa9 \xff", "café �"),
        (b"tab\tstays", "tab\tstays"),
    ],
)
def test_a_line_as_a_terminal_would_show_it(data, expected):
    assert sanitize.render(data) == expected


@given(st.binary(max_size=400))
def test_no_bytes_can_act_on_a_terminal(data):
    assert not set(sanitize.render(data)) & {
        chr(c) for c in [*range(9), *range(10, 32), *range(127, 160)]
    }


def test_a_line_of_ten_megabytes_is_cut(spec):
    spec.log(W0).write_bytes(b"x" * 10_000_000 + b"\nlast\n")
    found = logs.lines(spec, [W0], last=2)
    assert found[1].text == "last"
    assert len(found[0].text) < 5000


@pytest.mark.parametrize("char", ["x", "五", "👍", "\x1b[31m.\x1b[0m"])
def test_of_a_line_of_megabytes_the_beginning_and_the_end_are_shown(spec, char):
    begin, end = "A" * 50, "Z" * 50
    write(
        spec,
        W0,
        (1, f"first\n{begin}"),
        (2, char * (9_000_000 // len(char.encode())) + f"{end}\nlast\n"),
    )
    write(spec, W1, (1.5, "between\n"))
    followed = new_lines(logs.Follower(spec, [W0, W1]), at_end=True)
    for found in (followed, logs.lines(spec, [W0, W1]), logs.lines(spec, [W0, W1], last=9)):
        short = [line.text for line in found if len(line.text) < 100]
        assert short == ["first", "between", "last"] or (found is followed and len(short) == 3)
        [cut] = [line.text for line in found if len(line.text) > 100]
        assert len(cut) < 5000
        assert cut.startswith(begin)
        assert cut.endswith(end)
        assert " … " in cut


def test_of_a_log_full_of_noise_no_more_is_read_than_was_allowed(spec):
    write(spec, W0, (1, "hello\n" + f"{NOISE}\n" * 20_000))
    tracemalloc.start()
    assert texts(logs.lines(spec, [W0], last=2))[0] == "worker:0 hello"
    whole = tracemalloc.get_traced_memory()[1]
    tracemalloc.reset_peak()
    (found,) = logs.lines(spec, [W0], last=2, within=100_000)
    assert tracemalloc.get_traced_memory()[1] < whole / 10, "what is read is held"
    tracemalloc.stop()
    assert found.folded == pytest.approx(100_000 / len(f"{NOISE}\n"), abs=2)


def test_the_end_of_a_long_log_costs_little(spec):
    with spec.log(W0).open("wb") as log:
        for _ in range(200):
            log.write(b"a line that is repeated very often\n" * 10_000)
    tracemalloc.start()
    assert len(logs.lines(spec, [W0], last=20)) == 20
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert spec.log(W0).stat().st_size > 60_000_000
    assert peak < 2_000_000


def test_follow_shows_each_line_once(spec):
    write(spec, W0, (1, "long before\nbefore\nha"))
    states = iter([True, True, True, False])
    seen = []

    def going() -> bool:
        live = next(states)
        with spec.log(W0).open("a") as log:
            log.write(f"{len(seen)} line\nhalf")
        return live

    for new in logs.follow(spec, [W0], going, last=1, interval=0):
        seen += [line.text for line in new]
        if seen == ["before"]:
            with spec.log(W0).open("a") as log:
                log.write("lf\n")  # while the lines so far are being printed
    assert seen == ["before", "half", "1 line", "half3 line", "half4 line", "half5 line", "half"]


def test_the_rest_of_a_long_log_is_read_in_pieces_and_can_be_left_out(spec, monkeypatch):
    monkeypatch.setattr(logs, "_BLOCK", 1 << 10)
    numbers = [f"line {number:05}" for number in range(10_000)]
    write(spec, W0, (1, "\n".join(numbers)))
    pieces = list(logs.Follower(spec, [W0]).new(at_end=True))
    assert [line.text for piece in pieces for line in piece] == numbers
    assert max(map(len, pieces)) < 2_000, "what is read is held"
    follower = logs.Follower(spec, [W0])
    next(follower.new(at_end=False))
    left_out = follower.skip(1_000)
    rest = [line.text for line in new_lines(follower, at_end=True)]
    assert rest == numbers[-90:]
    shown = [line.text for line in pieces[0]] + rest
    assert left_out == 11 * (len(numbers) - len(shown))
    assert follower.skip(1_000) == 0


def test_a_moved_run_is_read_where_it_is(spec, tmp_path):
    write(spec, W0, (1, "here\n"))
    assert texts(logs.lines(replace(spec, directory=str(tmp_path)), [W0])) == ["worker:0 here"]


def test_a_prefix_names_the_task():
    assert text.log_line([W0], "hello", 10) == "  worker:0 | hello"


def test_one_endless_line_is_not_held_in_memory(spec):
    with open(spec.log(W0), "wb") as log:
        log.write(b"begins")
        log.truncate(64 << 20)
        log.seek(0, os.SEEK_END)
        log.write(b"ends\nnext\n")
    tracemalloc.start()
    found = logs.lines(spec, [W0])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [found[0].text[:6], found[0].text[-4:], found[1].text] == ["begins", "ends", "next"]
    assert peak < 16 << 20


def test_the_end_of_a_log_is_kept_and_only_what_is_new_is_read(spec):
    log = spec.log(W0)
    end = logs.LogEnd(log, W0, within=1000)
    assert not end.update(), "there is no log yet"
    log.write_bytes(b"")
    written = b""
    for piece in (b"one\ntw", b"o\n\xc3", b"\xa4 10%\r20%", f"\n{NOISE}\n".encode(), b"x\n" * 400):
        log.write_bytes(written := written + piece)
        assert end.update()
        assert not end.update()
        expected = logs.lines(spec, [W0], last=6)
        assert [line.text for line in end.lines(6)] == [line.text for line in expected]
    assert not end.begins_later
    log.write_bytes(b"TWO" + written[3:] + b"three\n")
    assert end.update()
    assert end.lines(500)[0].text == "one", "what was read is not read again"
    log.write_bytes(b"y" * 5000 + b"\nfour\n")
    assert end.update()
    assert [line.text for line in end.lines(9)] == ["four"], "no part of a line"
    assert end.begins_later
    log.write_bytes(b"five\n")
    assert end.update()
    assert [line.text for line in end.lines(9)] == ["five"]


def test_damaged_entries_of_an_index_are_passed_over(spec):
    write(spec, W0, (float("inf"), "a\n"), (3, "b\n"), (float("nan"), "c\n"), (5, "d\n"))
    index = log_index.Index(spec.log(W0))
    assert [index.at(end) for end in (4, 6, 8)] == [3, 3, 5]
    assert index.times == [3, 5]
    assert index.at(2) > 1e9, "unknown: now"
