"""The records of real runs, compared in a terminal."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from mwtutor.cli import TerminalFace
from mwtutor.commands.dispatch import perform
from mwtutor.interface import TERMINAL

pytestmark = [pytest.mark.e2e, pytest.mark.full]

PROGRAM = """
    import sys, keras, mwtutor
    keras.layers.Dense(1)
    for step in range(1, 6):
        mwtutor.report(step, loss=float(sys.argv[1]) / step)
"""


def test_two_runs_are_compared(launch, write):
    write("main.py", PROGRAM)
    for name, rate in (("first", "1"), ("second", "2")):
        assert launch("main.py", 1, name=name, args=[rate]).wait().ok
    shown = repr(perform("compare", ["first", "second"], TERMINAL, TerminalFace()).shown)
    rows = {line.split("  ")[0]: line.split()[-2:] for line in shown.splitlines() if line}
    assert rows["args"] == ["1", "2"]
    assert rows["TensorFlow"] == [version("tensorflow")] * 2
    assert rows["last loss"] == ["0.2000", "0.4000"]
    assert "+ second, worker:0" in shown
