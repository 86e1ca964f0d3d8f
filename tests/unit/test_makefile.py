"""``make lab``: the programs that a notebook finds, and the message to root.

Also, the system packages that ``make horovod`` reports as missing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def lab(tmp_path):
    """``make lab`` with an environment whose Python reports how it was started."""
    (tmp_path / "bin").mkdir()
    python = tmp_path / "bin/python"
    python.write_text('#!/bin/sh\nfor word in "$PATH" "$@"; do echo "$word"; done\n')
    python.chmod(0o755)
    for made in (".installed", ".lab"):
        (tmp_path / made).touch()

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = ["make", "--silent", "--no-print-directory", "lab", f"VENV={tmp_path}", *words]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)

    return run


def test_a_notebook_finds_the_programs_of_the_environment_first(lab, tmp_path):
    done = lab("LAB_ARGS=--allow-root --no-browser")
    path, *words = done.stdout.splitlines()
    assert path == f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    assert words == ["-m", "jupyterlab", "notebooks", "--allow-root", "--no-browser"]


@pytest.mark.skipif(os.geteuid() != 0, reason="it is root who is told something")
@pytest.mark.parametrize("words", [(), ("LAB_ARGS=--no-browser --not--allow-root",)])
def test_root_is_told_what_to_do(lab, words):
    done = lab(*words)
    assert done.returncode != 0
    assert done.stdout == ""
    assert "Use another account, or accept that: make lab LAB_ARGS=--allow-root" in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root is told something instead")
def test_others_are_told_nothing(lab):
    assert lab().stdout.splitlines()[1:] == ["-m", "jupyterlab", "notebooks"]


def test_each_missing_system_package_is_one_line(tmp_path):
    for program in ("sh", "make", "g++", "mpirun"):
        (tmp_path / program).symlink_to(shutil.which(program) or "/bin/sh")
    done = subprocess.run(
        [shutil.which("make"), "--silent", "horovod-system", "HOROVOD_PYTHON=no-python"],
        cwd=ROOT,
        env={"PATH": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    said = [line for line in done.stderr.splitlines() if line.startswith("Compiling Horovod")]
    lacks = ("no-python", "python3.11-dev"), ("cmake", "cmake"), ("mpicxx", "libopenmpi-dev")
    assert said == [
        f"Compiling Horovod needs {program}, which is not installed. Install it (Debian: apt-get"
        f" install {package})."
        for program, package in lacks
    ]
