"""IPython in a terminal: the messages at its exit."""

from __future__ import annotations

import io
import subprocess
import sys

import pexpect
import pytest

from mwtutor.find_runs import find

pytestmark = [pytest.mark.e2e, pytest.mark.full]

MWTUTOR = [sys.executable, "-c", "import sys; from mwtutor.cli import main; sys.exit(main())"]
IPYTHON = ["-m", "IPython", "--simple-prompt", "--no-banner", "--no-confirm-exit"]


def typed(*lines: str) -> str:
    """The entire output for these lines, until IPython has ended."""
    shown = io.StringIO()
    terminal = pexpect.spawn(sys.executable, IPYTHON, timeout=120, encoding="utf-8")
    terminal.logfile_read = shown
    try:
        for number, line in enumerate(lines, 1):
            terminal.expect_exact(f"In [{number}]: ")
            terminal.sendline(line)
        terminal.expect(pexpect.EOF)
        return shown.getvalue()
    finally:
        terminal.close(force=True)


def test_who_leaves_is_told_what_ends_with_it(write):
    write("main.py", "import time; time.sleep(600)")
    shown = typed("%load_ext mwtutor", "%mw_launch 1 main.py --cold", "exit()")
    assert "Still running: main. It ends with this Python session." in shown
    assert "Traceback" not in shown
    assert find("main").wait(30, check=False).reason == "it ended with the process that launched it"


def test_who_leaves_nothing_is_told_nothing(write):
    write("main.py", "pass")
    shown = typed("%load_ext mwtutor", "%mw_launch 1 main.py --cold --wait", "exit()")
    assert "Still running" not in shown
    assert "Traceback" not in shown


def test_a_file_gets_no_colors(write):
    write("main.py", "print('said')")
    lines = "%load_ext mwtutor\n%mw_launch 1 main.py --cold --wait\n%mw_logs\n"
    command = [sys.executable, *IPYTHON]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=120)
    assert "worker:0 | said\n" in done.stdout


def test_fields_of_a_task_are_not_variables_of_the_notebook(write):
    write("main.py", "import sys; print(sys.argv[1:])")
    line = "%mw_launch {n} main.py --cold --args-per-task '--index {index} {type}' --wait -- $n"
    typed("%load_ext mwtutor", "n = 1; index = 7", line, "exit()")
    (log,) = find("main").directory.glob("logs/worker-0.log")
    assert log.read_text() == "['1', '--index', '0', 'worker']\n"


def test_curves_are_drawn_with_characters_and_the_file_is_named(write, work):
    write("main.py", "import mwtutor\nmwtutor.report(1, loss=2.0)\nmwtutor.metrics.flush()")
    lines = ("%mw_launch 1 main.py --cold --wait", "%mw_plot loss", "exit()")
    shown = typed("%load_ext mwtutor", *lines)
    assert "main: loss" in shown
    assert "* worker:0" in shown
    assert "Wrote the picture to main-loss.png." in shown
    assert (work / "main-loss.png").read_bytes().startswith(b"\x89PNG")
    done = subprocess.run([*MWTUTOR, "plot"], capture_output=True, text=True)
    assert done.stdout.splitlines()[0] == "main: loss"
    assert done.stdout.endswith("* worker:0\nWrote the picture to main-loss.png.\n")


@pytest.mark.tensorflow
def test_a_known_error_of_a_cell_gets_its_line(work):
    cell = "get_ipython().run_cell_magic('mw', '', 'tf.Session()')"
    shown = typed("%load_ext mwtutor", "%mw_start 2", cell, "exit()")
    assert shown.count("Session is a TensorFlow 1 name.") == 1
