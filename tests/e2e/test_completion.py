"""What a notebook's front end receives for typed text, from a real kernel and its workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from mwtutor.find_runs import find
from tests.support.runs.notebook_kernel import Kernel
from tests.support.waiting import until

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow]


@pytest.fixture
def kernel(work: Path) -> Iterator[Kernel]:
    kernel = Kernel(work)
    yield kernel
    kernel.close()


def test_lines_and_the_cells_of_a_session_are_completed_and_inspected(kernel, work):
    (work / "train_it.py").write_text("")
    kernel.run("%load_ext mwtutor")
    imported = "import sys; print('mwtutor.commands.completion' in sys.modules)"
    assert kernel.run(imported) == "False\n", "loading the extension must cost nothing"
    assert kernel.complete("%mw_launch 2 tr") == ["train_it.py"]
    assert kernel.complete("x = 1\n%mw_launch 2 train_it.py --wa") == ["--wait"]
    assert kernel.complete("%%mw --na") == ["--name"]
    assert "sys" in kernel.complete("sy"), "what is not ours is completed as before"
    assert "Exit the interpreter" in kernel.inspect("sys.exit")

    kernel.run("only_here = 1\n%mw_start 2")
    kernel.run("%%mw\nrate_of_all = 0.5\ndef doubled(x):\n    'Twice as much.'\n    return 2 * x")
    kernel.run("%%mw --task worker:1\nrate_of_one = 1.5")
    assert kernel.complete("%%mw --task wo") == ["worker:0", "worker:1"]
    # A worker may answer too late, or import Keras first; a repeated request then gets its answer.
    for before, after, found in (
        ("%mw_pull rate", "", ["rate_of_all"]),
        ("%%mw\nprint(1)\ny = rate_", "", ["rate_of_all"]),
        ("%%mw_scope\nrate_", "\nprint(2)", ["rate_of_all"]),
        ("%%mw --task worker:1\nrate_", "", ["rate_of_all", "rate_of_one"]),
    ):
        until(lambda: kernel.complete(before, after) == found)  # noqa: B023 - is called immediately
    until(lambda: "Dense" in kernel.complete("%%mw\n# ä\nmodel = tf.keras.layers.Den"))
    until(lambda: "Twice as much." in kernel.inspect("%%mw\ndoubled"))
    assert kernel.inspect("%%mw\nonly_here") == "", "on the workers there is no such thing"
    assert kernel.inspect("only_here") != ""

    # The kernel does not wait for a worker's answer, which would never arrive here.
    run = find("session")
    os.kill(pid := run.tasks[run.task("worker:0")].pid, signal.SIGSTOP)
    try:
        assert "rate_of_all" not in kernel.complete("%%mw\nrate_")
        assert kernel.inspect("%%mw\ndoubled") == ""
    finally:
        os.kill(pid, signal.SIGCONT)
    assert kernel.run("%%mw\nrate_of_all").endswith("| 0.5\n"), "its late answers disturb nothing"
    until(lambda: kernel.complete("%%mw\nrate_") == ["rate_of_all"])
    kernel.run("%mw_stop")
    assert "rate_of_all" not in kernel.complete("%%mw\nrate_")
