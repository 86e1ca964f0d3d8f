"""If the clock is set during a run, the run's durations do not change."""

from __future__ import annotations

import re
import subprocess

import pytest

from tests.e2e.test_cli import MWTUTOR, mwtutor
from tests.support.waiting import until

pytestmark = [pytest.mark.e2e, pytest.mark.full]

#: Shifts the system's clock in every Python process that a terminal starts.
SHIFTED = """import time
_time = time.time
def shifted(now=_time, file={file!r}):
    with open(file) as shift:
        return now() + float(shift.read() or 0)
time.time = shifted
"""

#: A duration of an hour or more, or below zero.
HOURS = re.compile(r"\d h\b| -\d")

PROGRAM = """import os, time
for line in range(60):
    print(line, flush=True)
    while not os.path.exists(f'{line}.seen') and line in (0, 10, 20):
        time.sleep(0.05)
    time.sleep(0.05)
"""


def test_a_clock_that_is_set_changes_no_duration_no_silence_and_no_order(
    write, tmp_path, monkeypatch
):
    shift = tmp_path / "shift"
    shift.write_text("0")
    write("hooks/sitecustomize.py", SHIFTED.format(file=str(shift)))
    write("main.py", PROGRAM)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "hooks"))
    launched = subprocess.Popen(
        [*MWTUTOR, "launch", "--cold", "1", "main.py", "--name", "shifted"],
        stdout=subprocess.PIPE,
        text=True,
    )
    for line, seconds in ((0, 0), (10, 86400), (20, -86400)):
        shown = f"worker:0 | {line}\n"
        until(lambda shown=shown: shown in mwtutor("logs", "shifted").stdout)
        shift.write_text(str(seconds))
        status = mwtutor("status", "shifted").stdout
        assert "running" in status
        assert not HOURS.search(status), status
        (tmp_path / f"{line}.seen").touch()
    printed, _ = launched.communicate(timeout=60)
    assert launched.returncode == 0
    assert not HOURS.search(printed), printed
    assert re.search(r"· main.py · (\d+ min )?[1-9][\d.]* s ·", mwtutor("status", "shifted").stdout)
    lines = mwtutor("logs", "shifted").stdout.splitlines()
    assert lines == [f"worker:0 | {line}" for line in range(60)]
