"""Stacks as values: readable from any bytes of an answer, and safe to show."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mwtutor.run.logs.logs import attempt_mark
from mwtutor.run.observations import stacks
from mwtutor.run.observations.stacks import (
    Frame,
    ThreadStack,
    parse_native,
    read_answer,
    read_crash,
)
from mwtutor.worker.stacks import answer_path

NATIVE = """\
Thread 0x00007f84055606c0 (most recent call first):
  File "/p/mwtutor-user/main.py", line 3 in inner
  File "/p/main.py", line 9 in <module>

Current thread 0x00007f8405560700 [name] (most recent call first):
  File "/p/main.py", line 7 in <module>
"""


def test_what_faulthandler_writes_is_turned_round_and_the_main_thread_comes_first():
    main, other = parse_native(NATIVE)
    assert main == ThreadStack(True, "", (Frame("/p/main.py", 7, "<module>"),))
    assert [frame.function for frame in other.frames] == ["<module>", "inner"]
    assert not other.main


def test_a_stack_reads_like_a_traceback_and_cannot_act(tmp_path):
    log = tmp_path / "worker-0.log"
    frame = ("m\x1b[2Jain.py", 3, "f", "x = '\x1b]0;evil\x07'")
    answer = {"token": "1", "threads": [{"main": True, "name": "", "frames": [frame]}]}
    answer_path(log).write_text(json.dumps(answer))
    (stack,) = read_answer(log, "1")
    expected = "main thread (most recent call last):\n  File \"main.py\", line 3, in f\n    x = ''"
    assert str(stack) == expected
    assert read_answer(log, "2") is None, "the answer to another request"


def crash_of(program: str, log: Path) -> None:
    """Make a process crash in native code, with Python's report in its log."""
    script = log.with_name("main.py")
    script.write_text(program)
    with log.open("ab") as out:
        subprocess.run([sys.executable, "-X", "faulthandler", script], stderr=out, check=False)


PROGRAM = """\
import ctypes, json, threading
threading.Thread(target=threading.Event().wait, daemon=True).start()
def read():
    ctypes.string_at(0)
def train():
    read()
train()
"""


def test_of_a_native_crash_the_programs_innermost_line_is_found(tmp_path):
    """``faulthandler`` writes the innermost call first, and Python's own modules after it."""
    log = tmp_path / "worker-0.log"
    log.write_text("step 1\n")
    crash_of(PROGRAM, log)
    crash = read_crash(log)
    assert crash.what == "Segmentation fault"
    assert [(frame.function, frame.line) for frame in crash.own] == [
        ("<module>", 7),
        ("train", 6),
        ("read", 4),
    ]
    assert crash.own[-1].source == "ctypes.string_at(0)"
    assert crash.own[-1].spot == "main.py, line 4"
    assert crash.stack.frames[-1].function == "string_at"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("F0000 00:00:1795410253.878326     938 env.cc:84] Check failed: ret == 0 (11 vs. 0) Thread"
         " tf_Compute creation via pthread_create() failed.",
         "Check failed: ret == 0 (11 vs. 0) Thread tf_Compute creation via pthread_create()"
         " failed."),
        ("2026-11-23 06:04:40.578314: F external/local_tsl/tsl/env.cc:74] Check failed: ret == 0",
         "Check failed: ret == 0"),
        ("2026-11-23 06:04:40.578314: I external/local_tsl/tsl/env.cc:74] all is well", ""),
        ("  what():  Resource temporarily unavailable", "Resource temporarily unavailable"),
        ("  what():  \x1b[2Jgone", "gone"),
        ("I0000 00:00:1795410253.878326     938 env.cc:84] all is well", ""),
        ("an F0000 in a sentence] is none", ""),
    ],
)  # fmt: skip
def test_native_code_says_why_it_gives_up(tmp_path, line, said):
    log = tmp_path / "worker-0.log"
    log.write_text(f"step 1\n{line}\n    @     0x7f82c711d314  absl::LogMessage::Flush()\n")
    crash_of("import os\nos.abort()\n", log)
    assert read_crash(log).said == said
    assert read_crash(log).own[-1].line == 2


def test_a_crash_is_the_last_thing_a_task_says(tmp_path):
    log = tmp_path / "worker-0.log"
    assert read_crash(log) is None
    crash_of(PROGRAM, log)
    assert read_crash(log) is not None
    assert read_crash(log, since=log.stat().st_size) is None, "an earlier attempt's"
    before = log.read_text()
    for later in (attempt_mark(2), "Traceback (most recent call last):"):
        log.write_text(f"{before}{later}\n")
        assert read_crash(log) is None


def test_frames_of_this_package_are_left_out():
    ours = Path(stacks.__file__).parents[2] / "worker" / "program.py"
    (stack,) = parse_native(
        NATIVE.splitlines()[-2]
        + f'\n  File "{ours}", line 3 in run\n' * 2
        + NATIVE.splitlines()[-1]
    )
    assert [frame.file for frame in stack.frames] == ["/p/main.py"]


def test_a_cells_file_has_no_name():
    assert Frame("/tmp/ipykernel_12/345.py", 2, "<module>").spot == "line 2 of a cell"


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes_are_an_answer_or_none(tmp_path_factory, data):
    log = Path(tmp_path_factory.mktemp("s")) / "worker-0.log"
    answer_path(log).write_bytes(data)
    read_answer(log, "1")
    parse_native(data.decode(errors="replace"))
    log.write_bytes(b"Fatal Python error: " + data)
    read_crash(log)
