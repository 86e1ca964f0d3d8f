"""A program runs as under ``python main.py``, and prints the same facts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mwtutor.cluster import TaskId

pytestmark = pytest.mark.e2e

FACTS = """
    import atexit, json, os, resource, signal, sys, tempfile, threading, time
    import beside
    class Last:
        def __del__(self):
            print("deleted at the end")
    last = Last()
    unclosed = open(sys.argv[-1], "w")
    unclosed.write("flushed at the end")
    atexit.register(print, "atexit")
    facts = {
        "name": __name__, "file": __file__, "argv": sys.argv[:-1], "path": sys.path[0],
        "spec": __spec__, "doc": __doc__, "beside": beside.__file__, "cwd": os.getcwd(),
        "main": sys.modules["__main__"].__dict__ is globals(), "threads": threading.active_count(),
        "umask": oct(os.umask(0o22)), "nofile": resource.getrlimit(resource.RLIMIT_NOFILE),
        "signals": [str(signal.getsignal(n)) for n in (2, 13, 15, 17, 1)], "pid": os.getpid() > 0,
        "stdin": sys.stdin.read(), "flags": str(sys.flags),
        "annotations": "annotations" in globals(),
        "thread": threading.current_thread() is threading.main_thread(),
        "session": os.getsid(0) == os.getpid() or "plain", "executable": sys.executable,
        "fds": len(os.listdir("/proc/self/fd")) < 12, "temporary": tempfile.gettempdir(),
    }
    facts["signals"][0] = facts["signals"][0].split(" at ")[0]
    facts.pop("session")
    print(json.dumps(facts))
    threading.Thread(target=lambda: (time.sleep(0.2), print("thread finished"))).start()
    sys.exit(3)
"""


def run_both(launch, write, source: str, *args: str, cold: bool = False):
    """The program by hand and in a run: two pairs of (exit status, output)."""
    write("main.py", source)
    env = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    plain = subprocess.run(
        [sys.executable, "main.py", *args, "plain.txt"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=env,
        timeout=120,
    )
    run = launch("main.py", 1, [*args, "run.txt"], cold=cold)
    run.wait(check=False)
    ours = run.spec.log(TaskId("worker", 0)).read_text()
    return (plain.returncode, plain.stdout + plain.stderr), (
        run.tasks[TaskId("worker", 0)].exit,
        ours,
    )


@pytest.mark.parametrize("cold", [False, True], ids=["forked", "cold"])
def test_a_script_sees_what_it_sees_under_python(launch, write, work, monkeypatch, cold):
    write("beside.py", "")
    monkeypatch.setenv("TMPDIR", str(work))
    plain, ours = run_both(launch, write, FACTS, "--x", "a b", cold=cold)
    assert ours == plain
    assert f'"temporary": "{work}"' in plain[1]
    assert "deleted at the end" in plain[1]
    assert Path("run.txt").read_text() == Path("plain.txt").read_text() == "flushed at the end"


def test_a_traceback_shows_the_programs_lines_and_none_of_ours(launch, write):
    source = """
    def outer():
        inner()
    def inner():
        raise RuntimeError("broken") from KeyError("cause")
    outer()
    """
    plain, ours = run_both(launch, write, source)
    assert ours == plain


@pytest.mark.full
def test_argparse_and_absl_exit_as_usual(launch, write):
    source = """
    import argparse
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int)
    parser.add_argument("file")
    parser.parse_args()
    """
    plain, ours = run_both(launch, write, source, "--epochs", "many")
    assert ours == plain
    assert ours[0] == 2
    source = """
    from absl import app, flags
    flags.DEFINE_string("who", "nobody", "help")
    def main(argv):
        print(flags.FLAGS.who, argv[0])
        return 5
    app.run(main)
    """
    plain, ours = run_both(launch, write, source, "--who", "me")
    # TensorFlow's messages about CUDA when absl starts are left out: here it is already imported.
    assert ours[1].splitlines()[-1] == plain[1].strip() == "me main.py"
    assert ours[0] == plain[0] == 5


@pytest.mark.full
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing_works_inside(launch, write, method):
    source = f"""
    import multiprocessing
    def square(n):
        return n * n
    if __name__ == "__main__":
        multiprocessing.set_start_method("{method}")
        with multiprocessing.Pool(2) as pool:
            print(pool.map(square, range(5)))
    """
    plain, ours = run_both(launch, write, source)
    assert "[0, 1, 4, 9, 16]" in ours[1]
    assert ours[0] == plain[0] == 0


@pytest.mark.full
def test_random_numbers_differ_between_workers_and_repeat_with_a_seed(launch, write):
    write(
        "main.py",
        """
        import random, sys
        import numpy as np
        import tensorflow as tf
        if len(sys.argv) > 1:
            random.seed(7); np.random.seed(7); tf.random.set_seed(7)
        print(random.random(), np.random.rand(), float(tf.random.uniform([])))
        """,
    )
    run = launch("main.py", 2)
    run.wait()
    first, second = (run.spec.log(task).read_text().splitlines()[-1].split() for task in run.tasks)
    assert not set(first) & set(second)
    run = launch("main.py", 2, ["seeded"])
    run.wait()
    first, second = (run.spec.log(task).read_text().splitlines()[-1] for task in run.tasks)
    plain = subprocess.run(
        [sys.executable, "main.py", "seeded"], capture_output=True, text=True, timeout=120
    )
    assert first == second == plain.stdout.splitlines()[-1]


@pytest.mark.full
def test_a_module_runs_as_with_python_m(launch, write):
    write("pkg/__init__.py", "")
    write("pkg/helper.py", "NAME = 'helper'")
    write(
        "pkg/train.py",
        """
        import sys
        from . import helper
        print(__name__, __package__, helper.NAME, sys.argv[1:], sys.path[0])
        raise SystemExit(4)
        """,
    )
    plain = subprocess.run(
        [sys.executable, "-m", "pkg.train", "x"], capture_output=True, text=True, timeout=60
    )
    run = launch("pkg.train", 1, ["x"], module=True)
    run.wait(check=False)
    assert run.spec.log(TaskId("worker", 0)).read_text() == plain.stdout
    assert run.tasks[TaskId("worker", 0)].exit == plain.returncode == 4


@pytest.mark.full
@pytest.mark.parametrize("module", [False, True], ids=["script", "module"])
def test_a_program_imports_its_own_and_not_what_the_fork_server_has(launch, write, work, module):
    source = "import six, random; print(six.__file__, random.OWN, __name__)"
    write("main.py", source)
    write("six.py", "")
    write("random/__init__.py", "OWN = True")
    how = ["-m", "main"] if module else ["main.py"]
    plain = subprocess.run([sys.executable, *how], capture_output=True, text=True, timeout=60)
    run = launch("main" if module else "main.py", 1, module=module)
    run.wait(check=False)
    assert run.spec.log(TaskId("worker", 0)).read_text() == plain.stdout
    assert plain.stdout.startswith(str(work / "six.py"))
    assert run.spec.why_cold == (
        "the fork server has already imported other modules with the same name as the program's"
        " own random/__init__.py, six.py"
    )


@pytest.mark.full
def test_a_program_whose_modules_have_names_of_their_own_is_forked(launch, write):
    for name in ("utils.py", "data.py", "model.py", "train/__init__.py", "six/of_no_package.py"):
        write(name, "")
    write("main.py", "import six, utils; print(six.PY3, utils.__file__)")
    run = launch("main.py", 1)
    run.wait()
    assert run.spec.warm, run.spec.why_cold


@pytest.mark.full
def test_an_edited_script_and_an_edited_module_run_in_their_new_form(launch, write):
    for version in "123":
        write("beside.py", f"VERSION = {version}")
        write("main.py", f"import beside; print({version}, beside.VERSION)")
        run = launch("main.py", 1)
        run.wait()
        assert run.spec.log(TaskId("worker", 0)).read_text() == f"{version} {version}\n"


@pytest.mark.full
def test_lines_appear_when_they_are_printed(launch, write):
    write("main.py", "import time; print('first'); time.sleep(600)")
    run = launch("main.py", 1)
    path = run.spec.log(TaskId("worker", 0))
    import time

    deadline = time.monotonic() + 60
    while not (path.exists() and path.read_text() == "first\n"):
        assert time.monotonic() < deadline
        time.sleep(0.02)
