"""The doctor's report on this machine, and on recorded answers of other machines."""

from __future__ import annotations

import importlib.metadata
import json
import os
import pickle
import subprocess
import sys
from types import SimpleNamespace

import pytest

import mwtutor
from mwtutor.cli import main
from mwtutor.devices import gpus
from mwtutor.diagnosis import checks, findings
from mwtutor.exceptions import BadCluster
from mwtutor.network import establish
from mwtutor.system.processors_and_memory import Limits
from mwtutor.worker.probe import nccl_version
from tests.support.machines.nvml import machine

#: An answer of the probe on a machine with two GPUs.
ANSWER = {
    "tensorflow": "2.21.0", "keras": "3.15.1", "cuda_build": True, "cuda": "12.5.1", "cudnn": "9",
    "gpus": 2, "nccl": "2.21.5", "estimator": [],
}  # fmt: skip


@pytest.fixture(scope="module")
def here() -> checks.Diagnosis:
    """Run in a separate process, because this one may have imported TensorFlow."""
    asked = (
        "import pickle, sys\n"
        "from mwtutor.diagnosis import checks as diagnosis\n"
        "found = diagnosis.doctor(2)\n"
        "assert 'tensorflow' not in sys.modules, 'the process that asks stays free of it'\n"
        "sys.stdout.buffer.write(pickle.dumps(found))"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return pickle.loads(done.stdout)


@pytest.mark.tensorflow
def test_it_is_right_on_this_machine(here):
    assert here.ok
    assert here["TensorFlow"].found == importlib.metadata.version("tensorflow")
    assert here["Keras"].level == "ok"
    assert here["Estimator"].level == "ok"
    driver = os.path.exists("/dev/nvidiactl")
    assert (here["GPU driver"].level == "ok") == driver
    assert (here["GPUs"].level == "ok") == bool(gpus.find().devices)
    assert driver or here["2 workers"].found == "on CPU"
    assert "GiB" in here["Memory"].found


@pytest.mark.tensorflow
def test_each_item_has_a_line_and_each_problem_a_remedy(here):
    text = repr(here)
    for finding in here.findings:
        assert text.count(f"{finding.name} ") >= 1
        assert "\n" not in finding.found + finding.remedy
        if finding.level == "missing":
            assert finding.remedy
    assert here._repr_html_().count('<th scope="row">') == len(here.findings)


def test_without_tensorflow_it_says_so_and_fails(tmp_path, monkeypatch, capsys):
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    bare.chmod(0o755)
    told = checks.ask_tensorflow(str(bare))
    assert "No module named 'tensorflow'" in told["error"]
    monkeypatch.setattr(sys, "executable", str(bare))
    monkeypatch.setattr(checks.ask_tensorflow, "__defaults__", (str(bare),))
    assert main(["doctor", "1"]) == 1
    shown = capsys.readouterr().out
    assert "✗ TensorFlow" in shown
    assert "pip install tensorflow tf_keras" in shown
    assert "1 worker " in shown
    assert main(["doctor", "1", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["mwtutor"] == mwtutor.__version__
    levels = {finding["name"]: finding["level"] for finding in told["findings"]}
    assert (levels["TensorFlow"], levels["Memory"]) == ("missing", "ok")


def test_an_interpreter_that_cannot_start_is_no_traceback(tmp_path):
    assert "error" in checks.ask_tensorflow(str(tmp_path / "nothing"))


def software(survey: str = "none", **changed: object) -> checks.Diagnosis:
    return checks.Diagnosis(tuple(checks._software({**ANSWER, **changed}, machine(survey))))


def test_a_machine_with_gpus(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    seen = software("two")
    assert seen["CUDA"].found.endswith("CUDA 12.5.1 and cuDNN 9, and sees 2 GPUs")
    assert seen["NCCL"].found == "2.21.5"
    driver, cards = checks._hardware(machine("two"))
    assert driver.found == "550.90.07, for CUDA up to 12.4"
    assert cards.found == "NVIDIA A10G (24.0 GiB), NVIDIA A10G (24.0 GiB)"
    assert checks._placement(checks.ClusterSize(3), machine("two")).found.startswith("on CPU")
    assert checks._placement(checks.ClusterSize(2), machine("two")).found == "1 GPU each"


def test_what_is_wrong_with_gpus_is_named_with_its_remedy(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    for changed in ({"gpus": 0}, {"cuda_build": False}, {"nccl": ""}):
        seen = software("two", **changed)
        item = seen["NCCL" if "nccl" in changed else "CUDA"]
        assert item.level == "note"
        assert "tensorflow[and-cuda]" in item.remedy
        assert seen.ok, "it trains on CPUs"
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "-1")
    assert software("two", gpus=0)["CUDA"].level == "ok", "they are hidden on purpose"


def test_keras_that_no_bridge_knows_is_a_note(monkeypatch):
    assert software(keras="3.99.0")["Keras"].level == "note"
    assert software(keras="2.15.0")["Keras"].level == "ok"
    missing = software(keras="missing: no tf_keras")
    assert not missing.ok
    assert software(estimator=["It is too new.", "Install another."])["Estimator"].remedy


def test_what_is_shown_cannot_act():
    hostile = checks.Finding("GPUs", "ok", "<script>alert(1)</script>")
    assert "<script" not in findings.as_html([hostile])


def test_versions_of_nccl():
    assert nccl_version(22105) == "2.21.5"
    assert nccl_version(2708) == "2.7.8"


def test_the_number_of_workers_is_checked():
    with pytest.raises(BadCluster):
        checks.doctor(0)


def test_namespaces_are_tried_for_real():
    """The answer is the same as that of the system's own tool."""
    flags = ["--net"] if os.getuid() == 0 else ["--net", "--user"]
    tried = subprocess.run(["unshare", *flags, "true"], capture_output=True)
    assert bool(checks.no_private_network()) == bool(tried.returncode)


def test_machines_are_tried_for_real():
    found = checks._machines()
    assert (found.level == "ok") == (not establish.why_no_machines()), found
    assert ("cannot have delays" in found.found) == bool(establish.why_no_machines("1gbit,1ms"))


def test_a_proxy_that_the_relay_cannot_use_is_said_before_a_run_meets_it(monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1080")
    found = checks._network()
    assert found.level == "note"
    assert "ALL_PROXY is a socks5 proxy" in found.found


@pytest.mark.parametrize(("workers", "level"), [(2, "ok"), (3, "note")])
def test_memory_is_for_all_workers_together(workers, level):
    found = Limits(2.0, "", 2 * checks._WORKER_MEMORY, "")
    _, memory = checks._limits(workers, found)
    assert (memory.level, memory.remedy) == (level, "Start at most 2." * (level == "note"))


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({}, "sets no limits"),
        ({"MEM_LIMIT": str(2 << 30), "CPU_LIMIT": "4"}, "are enforced"),
        ({"MEM_LIMIT": str(1 << 30)}, "MEM_LIMIT is 1.0 GiB, but nothing enforces it"),
        ({"CPU_LIMIT": "0.5"}, "CPU_LIMIT is 0.5, but"),
        ({"MEM_LIMIT": "many", "CPU_LIMIT": ""}, "sets no limits"),
    ],
)
def test_limits_that_a_hub_only_announces(env, said):
    found = Limits(2.0, "", 1 << 30, "", cap=2 << 30)
    assert not list(checks._hub(found, env))
    (hub,) = checks._hub(found, {"JUPYTERHUB_USER": "ada", **env})
    assert said in hub.found
    assert (hub.level == "note") == ("nothing enforces" in said or "0.5" in said)


def test_shared_memory_is_measured():
    reported = os.popen("df --output=avail -B1 /dev/shm | tail -1").read()
    if not reported.strip():
        pytest.skip("no /dev/shm here")
    found = checks._shared_memory()
    available = int(reported) / 2**30
    assert float(found.found.split()[0]) == pytest.approx(available, abs=0.2)
    assert (found.level == "ok") == (available >= 0.25) == (not found.remedy)


@pytest.mark.parametrize(("free", "level"), [(2**28, "ok"), (2**28 - 4096, "note")])
def test_little_shared_memory_is_a_note_with_a_remedy(monkeypatch, free, level):
    here = SimpleNamespace(f_bavail=free // 4096, f_frsize=4096)
    monkeypatch.setattr(os, "statvfs", lambda path: here)
    found = checks._shared_memory()
    assert (found.level, "--shm-size" in found.remedy) == (level, level == "note")


@pytest.mark.parametrize("version", [(3, 9), (3, 14)])
def test_a_python_that_is_not_supported_is_named(monkeypatch, version):
    monkeypatch.setattr(sys, "version_info", (*version, 1, "final", 0))
    found = checks._python()
    assert (found.name, found.level) == ("Python", "missing")
    assert found.remedy == "Use Python 3.10 to 3.13."
