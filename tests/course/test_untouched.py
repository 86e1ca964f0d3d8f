"""Every notebook is executed, and the outputs of its check cells are compared, by nbval.

``make test`` leaves some notebooks out, and ``make test-extra WHAT=course`` executes those. Their
cells, stubs included, are executed by ``test_solved`` on the newest TensorFlow, and by
``test_unchanged`` on 2.15.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mwtutor.devices.requirements import unmet
from tests.course.classroom import NO_TENSORFLOW
from tests.course.lesson import LESSONS, parameters
from tests.support.runs.notebook_kernel import PYTEST

NOTEBOOKS = [lesson.path for lesson in LESSONS]
NAMES = [path.name for path in NOTEBOOKS]

#: An installed package registers its plugin; a package that is only on the path does not.
PLUGIN = (
    []
    if importlib.metadata.entry_points(group="pytest11", name="mwtutor_hardware")
    else ["-p", "mwtutor.pytest_plugin"]
)


def cells(path: Path) -> list[dict]:
    return [c for c in json.loads(path.read_text())["cells"] if c["cell_type"] == "code"]


def tags(cell: dict) -> list[str]:
    return cell["metadata"].get("tags", [])


def execute(path: Path) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-c", PYTEST, "--nbval-lax", "--nbval-cell-timeout=400", "-q", "-rs",
         "-p", "no:cacheprovider", *PLUGIN, path.name],
        cwd=path.parent, env=env, capture_output=True, text=True,
    )  # fmt: skip


def needs(cell: dict) -> list[str]:
    """The requirements in the tags that are not met here, each with the reason."""
    return [reason for tag in tags(cell) if (reason := unmet(tag))]


#: The cells that need certain hardware.
HARDWARE = [
    pytest.param(cell, id=f"{path.stem}-{cell['id']}", marks=pytest.mark.mw_needs(*wanted))
    for path in NOTEBOOKS
    for cell in cells(path)
    if (wanted := [tag for tag in tags(cell) if tag.startswith("gpu")])
]


def test_there_are_notebooks():
    assert "03_keras_on_two_workers.ipynb" in NAMES


@pytest.mark.e2e
@pytest.mark.timeout(900)
@pytest.mark.parametrize("lesson", parameters(elsewhere=pytest.mark.course))
def test_a_notebook_runs_and_its_checks_hold(lesson, tmp_path):
    path = lesson.path
    notebook = json.loads(path.read_text())
    notebook["cells"].append(
        {"cell_type": "code", "id": "no-tensorflow", "metadata": {}, "execution_count": None,
         "outputs": [], "source": NO_TENSORFLOW}
    )  # fmt: skip
    (tmp_path / path.name).write_text(json.dumps(notebook))
    done = execute(tmp_path / path.name)
    assert done.returncode == 0, done.stdout[-6000:]
    reasons = [reason for cell in cells(path) for reason in needs(cell)]
    assert all(reason in done.stdout for reason in reasons)
    assert not re.search(r"\d+ skipped", done.stdout) or reasons, done.stdout[-2000:]


@pytest.mark.parametrize("cell", HARDWARE)
def test_a_cell_that_needs_hardware_runs_where_that_is(cell):
    """The notebook's own test runs the cell; if skipped, this one reports why that one did not."""
    assert not needs(cell)


@pytest.mark.parametrize("cell", [parameters.values[0] for parameters in HARDWARE])
def test_a_cell_that_needs_hardware_shows_nothing_it_has_not_seen(cell):
    """The cell checks itself, so that nobody has to write its expected output by hand."""
    assert "assert " in "".join(cell["source"])
    assert not cell["outputs"] or cell["execution_count"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_what_a_notebook_stores(path):
    checks = [cell for cell in cells(path) if "nbval-check-output" in tags(cell)]
    assert checks, "a notebook ends with a check"
    assert checks[-1]["outputs"], "make notebooks stores what is compared"
    stored = re.sub(r'"image/png": "[^"]*"', "", json.dumps([c["outputs"] for c in cells(path)]))
    ports = r"127\.0\.0\.1:\d|localhost:(?!12345|23456)\d"
    for pattern in (ports, r"/(home|root|tmp)/", "site-packages", r"\bpid \d", r"formed in \d"):
        assert not re.search(pattern, stored), pattern
