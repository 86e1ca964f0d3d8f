"""Stacks as values: whatever the bytes of an answer, and harmless when they are shown."""

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from mwtutor.run.stacks import Frame, ThreadStack, parse_native, read_answer
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


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes_are_an_answer_or_none(tmp_path_factory, data):
    log = Path(tmp_path_factory.mktemp("s")) / "worker-0.log"
    answer_path(log).write_bytes(data)
    read_answer(log, "1")
    parse_native(data.decode(errors="replace"))
