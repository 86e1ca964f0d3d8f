"""The scripts that Binder, a devcontainer and a container image execute."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = "binder/postBuild"


def test_all_three_execute_one_script():
    devcontainer = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    assert devcontainer["postCreateCommand"] == SCRIPT
    steps = re.findall(r"^RUN (.*)$", (ROOT / "Dockerfile").read_text(), re.M)
    assert steps[-1] == SCRIPT
    assert os.access(ROOT / SCRIPT, os.X_OK)


@pytest.mark.full
def test_the_script_makes_an_environment_in_which_a_program_runs(tmp_path):
    """The script starts from an empty directory. The tests' environment provides mwtutor's
    dependencies, so pip downloads only the build dependencies.
    """
    course = tmp_path / "course"
    for folder in ("mwtutor", "notebooks", "binder"):
        ignored = shutil.ignore_patterns("__pycache__", "lesson-*", ".*")
        shutil.copytree(ROOT / folder, course / folder, ignore=ignored)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, course)
    venv.create(tmp_path / "env", with_pip=True)
    programs = tmp_path / "env" / "bin"
    (site,) = (tmp_path / "env" / "lib").glob("*/site-packages")
    # The .pth files of these directories, such as those of an editable installation, have no
    # effect.
    lent = [path for path in sys.path if path.endswith("-packages")]
    (site / "lent.pth").write_text("\n".join(lent) + "\n")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    env = {
        **inherited,
        "PATH": f"{programs}:{os.environ['PATH']}",
        "PIP_NO_DEPS": "1",
    }

    def run(*words: str) -> str:
        command = [*map(str, words)]
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert run(course / SCRIPT).splitlines()[-1].startswith("mwtutor ")
    where = run(programs / "python", "-c", "import mwtutor; print(mwtutor.__file__)")
    assert Path(where.strip()).parents[1] == course
    (tmp_path / "quick.py").write_text("print('it runs')\n")
    shown = run(programs / "mwtutor", "launch", "2", "quick.py", "--cold")
    assert shown.count("it runs") >= 1
    assert "quick: succeeded" in shown
