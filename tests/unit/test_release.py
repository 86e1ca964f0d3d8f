"""The published texts: a release's notes, and the page that a registry makes from README."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from mwtutor.version import VERSION

ROOT = Path(__file__).parents[2]
CHANGELOG = "# Changelog\n\n## 0.2.0 (2026-11-23)\n\n- new\n\n## 0.1.0 (unreleased)\n\n- first\n"

notes = runpy.run_path(str(ROOT / "scripts" / "release_notes.py"))["notes"]


def test_the_notes_are_the_section_of_the_version():
    assert notes("v0.2.0", "0.2.0", CHANGELOG) == "- new\n"


@pytest.mark.parametrize(
    ("tag", "version", "wrong"),
    [
        ("v0.2.1", "0.2.0", "The tag is v0.2.1, but mwtutor/version.py says 0.2.0."),
        ("v0.3.0", "0.3.0", "CHANGELOG.md has no section for 0.3.0."),
        ("v0.1.0", "0.1.0", r"CHANGELOG.md says \(unreleased\) for 0.1.0."),
    ],
)
def test_what_does_not_agree_is_not_released(tag, version, wrong):
    with pytest.raises(SystemExit, match=wrong):
        notes(tag, version, CHANGELOG)


@pytest.mark.parametrize("address", ["", "https://example.org/mwtutor"])
def test_the_page_of_a_registry_has_no_link_that_leads_nowhere(tmp_path, address):
    """As long as the repository has no address, links are plain text, and there is no picture."""
    shutil.copy(ROOT / "README.md", tmp_path)
    setup = (ROOT / "setup.py").read_text()
    assert 'ADDRESS = ""' in setup
    (tmp_path / "setup.py").write_text(setup.replace('ADDRESS = ""', f'ADDRESS = "{address}"'))
    command = [sys.executable, "setup.py", "--quiet", "--long-description"]
    page = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    there = re.findall(r"\]\(([^)]+)\)", (ROOT / "README.md").read_text())
    assert len(there) > 30
    expected = [
        f"{address}/{'raw' if path.endswith('.svg') else 'blob'}/main/{path}" for path in there
    ]
    assert re.findall(r"\]\(([^)]+)\)", page) == (expected if address else [])
    assert "installation page" in " ".join(page.split())


def test_the_conda_recipe_agrees_with_pyproject():
    project = (ROOT / "pyproject.toml").read_text()
    recipe = yaml.safe_load((ROOT / "conda" / "recipe.yaml").read_text())
    listed = re.search(r"^dependencies = \[\n(.*?)^\]", project, re.M | re.S)[1]
    called = {"tf_keras": "tf-keras", "matplotlib": "matplotlib-base"}
    needed = [re.fullmatch(r"([\w-]+)(.*)", one).groups() for one in re.findall('"(.*?)"', listed)]
    python = "python " + re.search('^requires-python = "(.*)"$', project, re.M)[1]
    assert recipe["requirements"]["run"] == ["__linux", python] + [
        f"{called.get(name, name)} {version}"
        for name, version in needed
        if name != "tensorflow-estimator"
    ]
    assert recipe["requirements"]["host"][0] == python
    assert recipe["context"]["version"] == VERSION
    (command,) = recipe["build"]["python"]["entry_points"]
    assert command.replace(" = ", ' = "') + '"' in project
