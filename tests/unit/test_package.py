"""The names that the package exports, and the cost of importing it."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import mwtutor
from tests.course.lesson import LESSONS

ROOT = Path(__file__).parents[2]


def test_public_names():
    assert sorted(mwtutor.__all__) == sorted(mwtutor._PUBLIC)
    assert all(callable(getattr(mwtutor, name)) for name in mwtutor.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = mwtutor.nothing


def test_exercises_need_no_import_of_their_own():
    code = "import mwtutor; print(mwtutor.exercises.check.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "check\n", done.stderr


def test_importing_costs_no_tensorflow():
    heavy = "print(sorted(set(sys.modules) & {'tensorflow', 'keras', 'numpy', 'matplotlib'}))"
    names = "import mwtutor, mwtutor.cli, mwtutor.magics.notebook, mwtutor.commands.dispatch"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {names}; {heavy}"], capture_output=True, text=True
    )
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.parametrize("how", ["import mwtutor", "import runpy; runpy.run_path('setup.py')"])
def test_on_windows_the_import_and_the_installation_say_where_it_runs(how):
    code = f"import setuptools, sys; sys.platform = 'win32'; {how}"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("in WSL, the Windows Subsystem for Linux.")


def test_what_lessons_and_examples_import_is_installed_with_the_package():
    """Except for Horovod, for which lesson 13 has a page; TensorFlow brings Keras and NumPy."""
    project = (ROOT / "pyproject.toml").read_text()
    listed = re.search(r"^dependencies = \[\n(.*?)^\]", project, re.M | re.S)[1]
    needed = [name.replace("-", "_") for name in re.findall(r'"([\w-]+)[>=]', listed)]
    brought = {*needed, "mwtutor", "horovod", "keras", "numpy"}
    cells = [cell.source for lesson in LESSONS for cell in lesson.cells]
    examples = [path.read_text() for path in (ROOT / "examples").glob("*.py")]
    imported = re.findall(r"^ *(?:import|from) (\w+)", "\n".join(cells + examples), re.M)
    # Other names belong to files that the lessons write.
    packages = {name for name in imported if find_spec(name)} - sys.stdlib_module_names
    assert "tensorflow" in packages
    assert {name.lower() for name in packages} - brought == set()
