"""``%%mw_needs`` in a real IPython: the cell is executed like any other, or not at all."""

from __future__ import annotations

import re
import sys

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from mwtutor import load_ipython_extension
from mwtutor.devices import requirements


@pytest.fixture
def shell(monkeypatch):
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])  # a shell replaces it
    made = InteractiveShell()
    load_ipython_extension(made)
    return made


def execute(shell, cell):
    with capture_output() as shown:
        result = shell.run_cell(cell)
    return result, re.sub(r"\x1b\[[\d;]*m", "", shown.stdout + shown.stderr)


def test_a_cell_whose_need_is_not_met_is_skipped_and_the_notebook_goes_on(shell, monkeypatch):
    monkeypatch.setattr(requirements, "_gpus", lambda: 1)
    result, shown = execute(shell, "%%mw_needs gpu2 python>=3\nexecuted = True")
    assert result.success
    assert shown == "skipped: needs 2 GPUs, but only 1 is available\n"
    assert "executed" not in shell.user_ns
    monkeypatch.setattr(requirements, "_gpus", lambda: 0)
    assert "skipped: needs a GPU, but" in execute(shell, "%%mw_needs gpu\n1/0")[1]


def test_a_cell_whose_needs_are_met_is_a_cell(shell):
    result, shown = execute(
        shell, "%%mw_needs python>=3 needs:numpy\n%pprint\nmade = 3\nprint('here')\nmade + 1"
    )
    assert (result.success, result.result, shell.user_ns["made"]) == (True, 4, 3)
    assert "here" in shown
    assert execute(shell, "%%mw_needs python>=3\nother = made")[0].result is None
    assert shell.user_ns["other"] == 3


def test_an_error_in_it_fails_the_cell_and_shows_the_cell_alone(shell):
    result, shown = execute(shell, "%%mw_needs python>=3\nx = 1\nx / 0")
    assert isinstance(result.error_in_exec, ZeroDivisionError)
    assert "x / 0" in shown
    assert "mwtutor" not in shown, shown


@pytest.mark.parametrize(
    ("code", "lacking"), [(0, ""), (1, "whose controller does not answer"), (None, "not installed")]
)
def test_slurm_is_there_if_it_answers(shell, monkeypatch, work, code, lacking):
    """``sinfo`` reaches a cluster, or reaches none, or is not installed."""
    for name in ("sinfo", "sbatch") * (code is not None):
        program = work / name
        program.write_text(f"#!/bin/sh\nexit {code}\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(work))
    requirements._what_slurm_lacks.cache_clear()
    shown = execute(shell, "%%mw_needs slurm\n1")[1]
    requirements._what_slurm_lacks.cache_clear()
    assert ("needs Slurm" in shown) == bool(lacking)
    assert lacking in shown


def test_ray_is_there_if_it_is_said_where(shell, monkeypatch):
    monkeypatch.setattr(requirements, "installed", lambda package: package == "ray")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    assert "RAY_ADDRESS" in execute(shell, "%%mw_needs ray\n1/0")[1]
    monkeypatch.setenv("RAY_ADDRESS", "auto")
    assert execute(shell, "%%mw_needs ray\n7")[0].result == 7


@pytest.mark.parametrize(
    ("line", "said"), [("gppu", "'gppu' is not a known requirement."), ("", "missing")]
)
def test_a_need_that_is_misspelt_is_an_error_not_a_skip(shell, line, said):
    result, shown = execute(shell, f"%%mw_needs {line}\nexecuted = True")
    assert not result.success
    assert said in shown
    assert "executed" not in shell.user_ns
