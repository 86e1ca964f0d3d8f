"""``mwtutor exec`` in separate processes, with programs that need no TensorFlow."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

TF_CONFIG = '{"cluster": {"worker": ["localhost:2222"]}, "task": {"type": "worker", "index": 0}}'
PAIR = {"SLURM_JOB_ID": "7", "SLURM_STEP_ID": "0", "SLURM_PROCID": "1", "SLURM_NTASKS": "2",
        "SLURM_STEP_NODELIST": "localhost", "SLURM_STEP_TASKS_PER_NODE": "2"}  # fmt: skip


def start(*words: str, **env: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "mwtutor", "exec", *words]
    given = {k: v for k, v in os.environ.items() if k != "TF_CONFIG" and "SLURM" not in k}
    return subprocess.Popen(
        command, env={**given, **env}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def run(*words: str, **env: str) -> tuple[int, str, str]:
    process = start(*words, **env)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_the_program_takes_the_place_of_the_process(work, write):
    write("beside.py", "NAME = 'beside'")
    write("main.py", """
        import json, os, sys
        import beside
        print(json.dumps([os.getpid(), sys.argv, __name__, beside.NAME, os.environ["TF_CONFIG"]]))
        print(os.environ.get("TF_USE_LEGACY_KERAS"), os.environ.get("MWTUTOR_COMM"))
        sys.exit(7)
    """)  # fmt: skip
    process = start("--keras", "2", "--comm", "ring", "main.py", "--epochs", "3", "--ps", **PAIR)
    out, err = process.communicate(timeout=60)
    first, second = out.splitlines()
    pid, argv, name, beside, config = json.loads(first)
    assert (process.returncode, pid) == (7, process.pid)
    assert (argv, name, beside) == (["main.py", "--epochs", "3", "--ps"], "__main__", "beside")
    assert json.loads(config)["task"] == {"type": "worker", "index": 1}
    assert second == "1 ring"
    assert err == "mwtutor: worker:1 of 2 tasks, by Slurm's step 7.0\n"


def test_arguments_of_its_own_name_its_place(work, write):
    write("main.py", "import sys; print(sys.argv[1:])")
    words = "--args-per-task", "--index {index} --role={type} --hosts {worker}"
    assert run(*words, "main.py", "--epochs", "3", TF_CONFIG=TF_CONFIG)[:2] == (
        0,
        "['--epochs', '3', '--index', '0', '--role=worker', '--hosts', 'localhost:2222']\n",
    )


def test_a_module_and_a_tf_config_that_is_there(work, write):
    write("pkg/__init__.py", "")
    write("pkg/train.py", "import os, sys; print(sys.argv[1:], os.environ['TF_CONFIG'])")
    assert run("-m", "pkg.train", "a b", TF_CONFIG=TF_CONFIG)[:2] == (0, f"['a b'] {TF_CONFIG}\n")


def test_a_program_that_raises_shows_its_own_frames(work, write):
    write("main.py", "def f():\n    raise ValueError('mine')\nf()\n")
    code, _, err = run("main.py", TF_CONFIG=TF_CONFIG)
    assert code == 1
    assert err.endswith("ValueError: mine\n")
    assert err.count("File ") == 2


def test_signals_are_the_programs(work, write):
    write("main.py", "import time; print('on', flush=True); time.sleep(60)")
    process = start("main.py", TF_CONFIG=TF_CONFIG)
    assert process.stdout.readline() == "on\n"
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGTERM


def test_it_can_be_interrupted_while_it_waits(work, write):
    write("main.py", "")
    config = TF_CONFIG.replace("localhost", "no-such-host.invalid")
    process = start("main.py", TF_CONFIG=config)
    assert "waiting for worker:0 (no-such-host.invalid)" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    begun = time.monotonic()
    code, _, err = run("--timeout", "0.1", "main.py", TF_CONFIG=config)
    assert code == 2
    assert "did not resolve within 0.1 s" in err
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ((), "missing argument: program."),
        (("main.py",), "No environment variable says which task of which cluster this is"),
        (("nowhere.py",), "There is no file"),
        (("--epochs", "3", "main.py"), "unknown argument '--epochs'"),
        (("--ps", "x", "main.py"), "--ps cannot be 'x'"),
        (("--port", "70000", "main.py"), "--port cannot be 70000"),
    ],
)
def test_what_is_wrong_is_said(work, write, capsys, monkeypatch, words, problem):
    from mwtutor.cli import main

    for name in [name for name in os.environ if name.startswith("SLURM")]:
        monkeypatch.delenv(name)
    write("main.py", "")
    assert main(["exec", *words]) == 2
    assert problem in capsys.readouterr().err


@pytest.mark.parametrize("text", ["x", "²", "-1"])
def test_restarts_that_are_not_counted_in_digits_are_said(work, write, text):
    write("main.py", "print('ran')")
    code, out, err = run("main.py", TF_CONFIG=TF_CONFIG, JOBSET_RESTART_ATTEMPT=text)
    assert (code, out) == (2, "")
    assert f"JOBSET_RESTART_ATTEMPT is {text!r}, not a whole number" in err
    assert "Traceback" not in err
