"""Settings that a fork cannot honor."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mwtutor.engines.local.import_time import Fingerprint, import_time_changes, import_time_settings
from mwtutor.run.request.program import read_script


def test_settings_that_need_a_new_process():
    server = {"HOME": "/a", "OMP_NUM_THREADS": "1"}
    assert import_time_changes(server, {"HOME": "/b", "OMP_NUM_THREADS": "1"}) == ""
    assert import_time_changes(server, {"HOME": "/a"}) == (
        "OMP_NUM_THREADS takes effect only in a new process"
    )
    both = import_time_changes(server, {"LD_PRELOAD": "x"})
    assert both == "LD_PRELOAD, OMP_NUM_THREADS take effect only in a new process"


def test_a_setting_that_is_read_late_needs_none():
    assert import_time_changes({}, {"GRPC_FAIL_FAST": "use_caller"}) == ""
    assert import_time_changes({}, {"GRPC_TRACE": "all", "XLA_FLAGS": "--x"}) == ""


UNREACHABLE = """
import os, socket
{setting}
import tensorflow as tf
with socket.socket() as nobody:  # bound, but nobody listens
    nobody.bind(("127.0.0.1", 0))
    tf.config.experimental_connect_to_host("127.0.0.1:%d" % nobody.getsockname()[1])
    with tf.device("/job:worker/task:0"):
        tf.constant(1) + 1
"""


@pytest.mark.full
@pytest.mark.tensorflow
def test_a_call_that_is_to_fail_fast_does_so_in_a_fork_as_in_a_new_process(tmp_path):
    fast, slow = (
        UNREACHABLE.format(setting=f"os.environ['GRPC_FAIL_FAST'] = '{value}'")
        for value in ("true", "false")
    )
    # If there is no answer for this long, the process is waiting.
    waits = slow.replace("import os", "import os, signal\nsignal.alarm(4)\nimport os")
    (tmp_path / "fast.py").write_text(fast)
    (tmp_path / "waits.py").write_text(waits)
    root = Path(__file__).parents[4]
    env = {**os.environ, "CUDA_VISIBLE_DEVICES": "-1", "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.programs.raising", tmp_path],
        capture_output=True, text=True, env=env, timeout=200,
    )  # fmt: skip
    forked = dict(map(json.loads, done.stdout.splitlines()))
    assert forked["fast"]["error"] == "UnavailableError"
    assert forked["waits"]["message"] == "died or hung"
    new = subprocess.run(
        [sys.executable, tmp_path / "fast.py"], capture_output=True, text=True, env=env, timeout=200
    )
    assert "UnavailableError" in new.stderr


def test_a_script_that_sets_what_only_a_new_process_reads(tmp_path):
    script = tmp_path / "main.py"
    script.write_text("import os\nos.environ['OMP_NUM_THREADS'] = '1'\n")
    said = import_time_settings(read_script(script))
    assert said == "main.py names OMP_NUM_THREADS, which only a new process reads"
    script.write_text("import os\nos.environ['GRPC_FAIL_FAST'] = 'use_caller'\n")
    assert import_time_settings(read_script(script)) == ""
    script.write_text("import os\nos.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'\n'OMP_ is a prefix'\n")
    assert import_time_settings(read_script(script)) == ""


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("os.environ['KERAS_BACKEND'] = 'jax'", True),
        ("os.environ['KERAS_BACKEND'] = os.environ['BACKEND']", True),
        ("os.environ.setdefault('KERAS_BACKEND', 'torch')", True),
        ("os.environ['KERAS_BACKEND'] = 'tensorflow'", False),
        ("print('jax')", False),
    ],
)
def test_a_script_that_chooses_another_backend_of_keras(tmp_path, source, named):
    script = tmp_path / "main.py"
    script.write_text(f"import os\n{source}\nimport keras\n")
    said = "main.py names KERAS_BACKEND, which only a new process reads" if named else ""
    assert import_time_settings(read_script(script)) == said


def test_an_installed_package_changes_the_fingerprint(tmp_path, monkeypatch):
    monkeypatch.setattr("site.getsitepackages", lambda: [str(tmp_path)])
    monkeypatch.syspath_prepend(str(tmp_path))
    before = Fingerprint.now()
    assert before == Fingerprint.now()
    (tmp_path / "new_package-1.0.dist-info").mkdir()
    assert before != Fingerprint.now()
