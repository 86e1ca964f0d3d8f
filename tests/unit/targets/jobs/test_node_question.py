"""A node's answer before anything is started there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from mwtutor.engines import node_check
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.request.options import LaunchRequest
from mwtutor.system import child
from mwtutor.version import VERSION


def asked(*words: str, python: str = sys.executable) -> tuple[str, int]:
    """The answer of an interpreter that has loaded none of mwtutor's modules."""
    done = subprocess.run(
        [python, "-I", "-", *words], input=node_check.question(), capture_output=True, text=True
    )
    return done.stdout + done.stderr, done.returncode


@pytest.fixture
def words(work, write):
    write("main.py", "")
    request = LaunchRequest("main.py", cwd=str(work))
    return node_check.words(RunSpec("id", str(work / "run"), request), elsewhere=True)


def test_a_node_that_has_all_names_what_to_execute(words):
    assert asked(*words) == (f"{child.ENTRY}\n", 0)


def test_a_directory_that_is_not_shared(words, work):
    said, code = asked(*words, str(work / "elsewhere"))
    assert (code, said.partition(" has ")[2]) == (
        1,
        f"no directory {work}/elsewhere. Launch from a directory that all nodes share,"
        " or name one: --cwd.\n",
    )


def test_a_program_that_is_not_shared(words, work):
    (work / "main.py").unlink()
    assert f"cannot read {work}/main.py. Put the program into a directory" in asked(*words)[0]


def test_another_version_and_none(words, write, work):
    assert words[0] == VERSION
    write("old/version.py", 'VERSION = "0.0.1"')
    said, code = asked(VERSION, str(work / "old"), *words[2:], python=_bare())
    assert code == 1
    assert f"has mwtutor 0.0.1, but {VERSION} was launched. Install the same version" in said
    said, code = asked(VERSION, str(work / "none"), *words[2:], python=_bare())
    assert code == 1
    assert "has no mwtutor. Install it there, or name another interpreter with --python." in said


def test_a_package_that_is_elsewhere_does_only_if_it_may(words, work):
    here, _ = asked(VERSION, str(work / "none"), *words[2:])
    assert here == f"{child.ENTRY}\n"
    said, code = asked(VERSION, str(work / "none"), "", *words[3:])
    assert code == 1
    assert "has no mwtutor" in said


def _bare() -> str:
    """An interpreter without mwtutor: the base of this environment."""
    name = "python{}.{}".format(*sys.version_info)
    return os.path.join(sys.base_prefix, "bin", name)  # Python 3.10 does not report the path
