"""A program in a process that has imported more than Python itself."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = "import sys, tqdm.auto\nprint('ipykernel' in sys.modules, tqdm.auto.tqdm.__mro__[1])\n"

TASK = """
import sys
from mwtutor.worker import program
import ipykernel.kernelapp
sys.exit(program.run({kind!r}, {target!r}, (), lambda: None).code)
"""


@pytest.mark.parametrize(("kind", "target"), [("script", "main.py"), ("module", "main")])
def test_a_program_is_not_taken_for_a_notebooks(work, kind, target):
    (work / "main.py").write_text(PROGRAM)
    plain, task = (
        subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True).stdout
        for words in (["main.py"], ["-c", TASK.format(kind=kind, target=target)])
    )
    assert task == plain == "False <class 'tqdm.std.tqdm'>\n"
