"""The pytest plugin, with real runs of pytest and of nbval on a real notebook."""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mwtutor.devices import gpus, requirements
from tests.support.runs.notebook_kernel import PYTEST

GPUS = len(gpus.find().visible(os.environ.get(gpus.VISIBLE)))
TF = importlib.metadata.version("tensorflow")


def notebook(path: Path, *cells: tuple[str, list[str]]) -> Path:
    shown = {"output_type": "stream", "name": "stdout", "text": "right\n"}
    made = [
        {"cell_type": "code", "id": f"cell-{number}", "execution_count": 1, "source": source,
         "metadata": {"tags": tags}, "outputs": [shown]}
        for number, (source, tags) in enumerate(cells)
    ]  # fmt: skip
    path.write_text(json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    return path


def run_pytest(directory: Path, *words: str, **env: str) -> str:
    inherited = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    done = subprocess.run(
        [sys.executable, "-c", PYTEST, "-rs", "-p", "no:cacheprovider", *words],
        cwd=directory, env={**inherited, **env}, capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout + done.stderr


def test_cells_are_skipped_with_the_reason_and_the_others_are_compared(tmp_path):
    name = notebook(
        tmp_path / "n.ipynb",
        ("print('right')", []),
        ("print('right')", ["python>=3.10", "gpu-notes", "tf>=2.15"]),
        ("raise SystemError('executed')", ["gpu999"]),
        ("raise SystemError('executed')", ["python<3", "keras2", "keras3"]),
        ("print('wrong')", ["python>=3.10", "nbval-check-output"]),
    ).name
    plugins = ["-p", "nbval.plugin", "-p", "mwtutor.pytest_plugin"]
    shown = run_pytest(tmp_path, *plugins, "--nbval", name, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    assert "1 failed, 2 passed, 2 skipped" in shown, shown
    assert f"needs 999 GPUs, but {'none is' if not GPUS else 'only'}" in shown
    assert "needs python<3, but 3." in shown
    assert "needs Keras" in shown
    assert "executed" not in shown


@pytest.mark.skipif(
    not importlib.metadata.entry_points(group="pytest11", name="mwtutor_hardware"),
    reason="the package is not installed, only on the path",
)
def test_an_installed_package_brings_the_plugin_and_costs_a_run_without_it_nothing(tmp_path):
    """A plain test uses a marker; before the first such test, nothing else is imported."""
    (tmp_path / "test_it.py").write_text(
        "import sys, pytest\n"
        "assert 'mwtutor.pytest_plugin' in sys.modules\n"
        "assert not {'pynvml', 'tensorflow', 'mwtutor.devices.requirements'} & set(sys.modules)\n"
        "@pytest.mark.mw_needs('gpu999')\ndef test_never(): assert False\n"
        "@pytest.mark.mw_needs('python>=3')\ndef test_always(): pass\n"
    )
    shown = run_pytest(tmp_path, "--strict-markers", "test_it.py")
    assert "1 passed, 1 skipped" in shown, shown
    assert "needs 999 GPUs" in shown


def test_words_in_the_marker_that_are_no_requirement_are_an_error(tmp_path):
    """A cell's tag may have a meaning for other tools; in mwtutor's own marker, it is a typo."""
    misspelt = ["'gpu', 'gpuu'", "'tf>='", "2", "gpu=2", "''"]
    tests = [
        f"@pytest.mark.mw_needs({words})\ndef test_{number}(): assert False\n"
        for number, words in enumerate(misspelt)
    ]
    (tmp_path / "test_it.py").write_text("\n".join(["import pytest", *tests]))
    plugins = ["-p", "mwtutor.pytest_plugin"]
    shown = run_pytest(tmp_path, *plugins, "test_it.py", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    assert (
        "ERROR: A word in mw_needs(...) is not a requirement: test_it.py::test_0: 'gpuu'" in shown
    )
    for number, words in enumerate(misspelt):
        word = words.split(", ")[-1].strip("'")
        assert f"test_it.py::test_{number}: '{word}'" in shown
    assert "keras3" in shown
    assert "Traceback" not in shown
    assert "failed" not in shown


@pytest.mark.parametrize(
    "word",
    ["nbval-check-output", "gpus", "gpu0", "remove-cell", "tf", "keras", "a>b>c", "tf>=", "", "é"],
)
def test_other_tags_mean_nothing(word):
    assert requirements.unmet(word) == ""


def test_requirements_are_understood():
    assert requirements.unmet(f"tf=={TF}") == ""
    assert requirements.unmet("tf<1") == f"needs tf<1, but {TF} is installed"
    assert requirements.unmet("python>=3.10,<4") == ""
    assert (
        requirements.unmet("nothing-like-it>=1")
        == "needs nothing-like-it>=1, but none is installed"
    )
    assert requirements.unmet("needs:numpy") == ""
    assert "not installed" in requirements.unmet("needs:nothing-like-it")


def test_horovod_is_found_or_its_remedy_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("MWTUTOR_HOROVOD", "/somewhere/python")
    assert requirements.horovod_python() == "/somewhere/python"
    assert requirements.unmet("horovod") == ""
    monkeypatch.delenv("MWTUTOR_HOROVOD")
    made = tmp_path / ".venv-horovod"
    below = tmp_path / "notebooks" / "lesson-13"
    for directory in (made, below):
        directory.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert not requirements.horovod_python().startswith(str(tmp_path))  # not fully built
    (made / ".installed").touch()
    assert requirements.horovod_python() == str(made / "bin/python")
    monkeypatch.setattr(requirements, "horovod_python", lambda: "")
    assert "make horovod" in requirements.unmet("horovod")


@pytest.mark.parametrize(
    ("lacking", "words"),
    [
        (("", "", "no netem"), ""),
        (("no namespaces", "no namespaces", "no namespaces"), "not possible here: no namespaces"),
        (("", "no tbf", "no tbf"), "not possible here: no tbf"),
    ],
)
def test_machines_are_needed_with_links_but_not_with_delays(monkeypatch, lacking, words):
    monkeypatch.setattr(requirements, "_machines", lambda: lacking)
    assert requirements.is_requirement("machines")
    assert requirements.unmet("machines").endswith(words)
    assert bool(requirements.unmet("machines")) is bool(words)


@pytest.mark.parametrize(("gpus", "word", "met"), [(0, "gpu", 0), (1, "gpu", 1), (1, "gpu2", 0),
                                                   (2, "gpu2", 1), (8, "gpu8", 1)])  # fmt: skip
def test_gpus_are_counted(monkeypatch, gpus, word, met):
    monkeypatch.setattr(requirements, "_gpus", lambda: gpus)
    assert bool(requirements.unmet(word)) != bool(met)


def test_which_keras_is_known_without_importing_it(monkeypatch):
    old = tuple(map(int, TF.split(".")[:2])) < (2, 16)
    monkeypatch.delenv("TF_USE_LEGACY_KERAS", raising=False)
    assert bool(requirements.unmet("keras3")) == old
    assert bool(requirements.unmet("keras2")) == (not old)
    monkeypatch.setenv("TF_USE_LEGACY_KERAS", "1")
    assert requirements.unmet("keras2") == ""
    assert requirements.unmet("keras3") == "needs Keras 3, but tf.keras is Keras 2"
