"""Real clusters of plain and of TensorFlow programs, started through the Python API."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from mwtutor.cluster import TaskId, parse_tf_config
from mwtutor.display.panel.headline import report
from mwtutor.display.panel.panel import Panel
from mwtutor.display.pictures.plot import curves
from mwtutor.exceptions import BadInput, NoRun, RunFailed, RunTimeout
from mwtutor.run.record.task_status import Status
from mwtutor.run.run import Run
from tests.parity.versions import keras_versions
from tests.support.waiting import until_state

pytestmark = pytest.mark.e2e

W0, W1 = TaskId("worker", 0), TaskId("worker", 1)

STRATEGY = """
    import tensorflow as tf
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
"""


def log(run: Run, task: str) -> str:
    """The task's output so far; a task that was just forked has no file yet."""
    path = run.spec.log(TaskId.parse(task))
    return path.read_text() if path.exists() else ""


def test_every_task_gets_its_tf_config_and_writes_its_log(launch, write):
    write(
        "main.py",
        """
    import json, os, time
    print(os.environ["TF_CONFIG"], flush=True)
    me = json.loads(os.environ["TF_CONFIG"])["task"]["type"]
    open(me, "w").close()
    while not all(os.path.exists(job) for job in ("ps", "evaluator")):
        time.sleep(0.02)  # the run ends with the last worker, and stops these
    """,
    )
    run = launch("main.py", 2, chief=True, ps=1, evaluator=True)
    run.wait()
    for task in run.tasks:
        cluster, me = parse_tf_config(log(run, str(task)))
        assert me == task
        assert log(run, str(task)).strip() == run.tf_config(task)
        assert [str(peer) for peer in cluster.peers()] == [
            "chief:0",
            "worker:0",
            "worker:1",
            "ps:0",
        ]
    ports = {address.rsplit(":")[-1] for job in cluster.jobs().values() for address in job}
    assert len(ports) == 4


def test_a_program_that_takes_its_place_from_its_arguments_runs_unchanged(launch, write):
    write("main.py", "import sys; print(*sys.argv[1:])")
    options = "--job_name={type} --task_index {index} --worker_hosts {worker}"
    run = launch("main.py", 2, ["--epochs", "3"], args_per_task=options)
    assert run.wait().ok
    hosts = ",".join(run.state.cluster.worker)
    for index in range(2):
        said = f"--epochs 3 --job_name=worker --task_index {index} --worker_hosts {hosts}"
        assert log(run, f"worker:{index}").strip() == said


def test_two_workers_form_a_cluster_and_reduce(launch, write):
    write(
        "main.py",
        STRATEGY
        + """
    @tf.function
    def step():
        def replica():
            context = tf.distribute.get_replica_context()
            replica_id = tf.cast(context.replica_id_in_sync_group, tf.float32)
            return context.all_reduce("sum", 1.0 + replica_id)
        return strategy.run(replica)
    print("reduced", float(strategy.experimental_local_results(step())[0]))
    """,
    )
    run = launch("main.py", 2)
    run.wait()
    state = run.state
    assert state.formed > state.started
    assert "reduced 3.0" in log(run, "worker:0")
    assert "reduced 3.0" in log(run, "worker:1")


def test_who_waits_for_whom_is_said(launch, write):
    write(
        "main.py",
        """
    import json, os, pathlib, time
    if json.loads(os.environ["TF_CONFIG"])["task"]["index"] == 1:
        while not pathlib.Path("go").exists():
            time.sleep(0.02)
    """
        + STRATEGY,
    )
    run = launch("main.py", 2)
    state = until_state(run, lambda state: state.tasks[W0].status is Status.WAITING)
    assert state.waiting_for() == (W1,)
    assert not state.formed
    Path("go").touch()
    run.wait()
    assert run.state.formed


def test_a_worker_that_raises_is_named_and_its_peers_are_stopped(launch, write):
    write(
        "main.py",
        STRATEGY
        + """
    def inner():
        if strategy.cluster_resolver.task_id == 1:
            raise ValueError("no such luck")
        import time
        time.sleep(600)
    inner()
    """,
    )
    run = launch("main.py", 2)
    with pytest.raises(
        RunFailed, match=r"worker:1 raised ValueError: no such luck \(main.py, line"
    ):
        run.wait(timeout=60)
    assert run.outcome.culprit == W1
    assert run.tasks[W0].status is Status.STOPPED
    assert run.tasks[W1].exit == 1
    assert log(run, "worker:1").count("Traceback") == 1
    assert "mwtutor" not in log(run, "worker:1").split("Traceback")[1]


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ("sys.exit(3)", "worker:1 exited with code 3"),
        ("sys.exit('because')", "worker:1 exited with code 1"),
        ("os._exit(4)", "worker:1 exited with code 4"),
        ("os.kill(os.getpid(), 9)", r"worker:1 was killed by signal 9 \(SIGKILL\)"),
        ("os.kill(os.getpid(), 11)", r"worker:1 was killed by signal 11 \(SIGSEGV\)"),
        ("os.abort()", r"worker:1 was killed by signal 6 \(SIGABRT\)"),
    ],
)
def test_every_way_to_fail_is_put_in_words_at_once(launch, write, end, words):
    write(
        "main.py",
        f"""
        import json, os, sys, time
        if json.loads(os.environ["TF_CONFIG"])["task"]["index"] == 1:
            open("died", "w").write(str(time.time()))
            {end}
        time.sleep(600)
        """,
    )
    run = launch("main.py", 2)
    with pytest.raises(RunFailed, match=words):
        run.wait(timeout=60)
    assert run.tasks[W0].status is Status.STOPPED
    # TensorFlow alone needs up to 14 s to notice this.
    assert run.state.ended - float(Path("died").read_text()) < 5.0


@pytest.mark.full
def test_a_native_crash_shows_the_programs_own_line(launch, write):
    write(
        "main.py",
        """
        import ctypes, time
        def read():
            ctypes.string_at(0)
        read()
        """,
    )
    run = launch("main.py", 1)
    with pytest.raises(RunFailed, match=r"SIGSEGV\) \(main\.py, line 4\)"):
        run.wait(timeout=60)
    first, title, *frames = report(run.spec, run.state).evidence
    assert first == "Fatal Python error: Segmentation fault"
    assert title.endswith("(most recent call last):")
    assert [line.strip() for line in frames[:4]] == [
        f'File "{Path("main.py").resolve()}", line 5, in <module>',
        "read()",
        f'File "{Path("main.py").resolve()}", line 4, in read',
        "ctypes.string_at(0)",
    ]


@pytest.mark.full
def test_a_worker_that_finishes_early_is_no_failure(launch, write):
    write(
        "main.py",
        """
        import json, os, pathlib, time
        if json.loads(os.environ["TF_CONFIG"])["task"]["index"] == 1:
            while not pathlib.Path("go").exists():
                time.sleep(0.02)
        """,
    )
    run = launch("main.py", 2)
    state = until_state(run, lambda state: state.tasks[W0].status is Status.SUCCEEDED)
    assert state.tasks[W1].status is Status.RUNNING
    Path("go").touch()
    assert run.wait().ok


def test_stop_leaves_no_process_and_no_port(launch, write):
    write(
        "main.py",
        STRATEGY
        + """
    import subprocess, time
    child = subprocess.Popen(["sleep", "600"])
    daemon = subprocess.Popen(["setsid", "sleep", "601"])
    print("children", child.pid, daemon.pid, flush=True)
    time.sleep(600)
    """,
    )
    run = launch("main.py", 2, network="host")
    until_state(run, lambda state: state.formed and "children" in log(run, "worker:1"))
    until_state(run, lambda state: "children" in log(run, "worker:0"))
    children = [
        int(pid)
        for task in ("worker:0", "worker:1")
        for pid in log(run, task).split("children ")[1].split()[:2]
    ]
    assert all(psutil.pid_exists(pid) for pid in children)
    ports = [int(address.rsplit(":")[-1]) for address in run.state.cluster.worker]
    outcome = run.stop()
    assert outcome.status == "stopped"
    assert not [pid for pid in children if psutil.pid_exists(pid)]
    for port in ports:
        with socket.socket() as free:
            free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            free.bind(("127.0.0.1", port))


def test_ports_are_held_while_the_run_lives(launch, write):
    write("main.py", "import time; time.sleep(600)")
    run = launch("main.py", 2, network="host")
    until_state(run, lambda state: state.tasks[W1].begun)
    for address in run.state.cluster.worker:
        with socket.socket() as thief, pytest.raises(OSError, match="in use"):
            thief.bind(("127.0.0.1", int(address.rsplit(":")[-1])))


def test_a_run_of_the_same_name_is_replaced_and_others_run_beside_it(launch, write):
    write("main.py", "import time; time.sleep(600)")
    first = launch("main.py", 1)
    other = launch("main.py", 1, name="other")
    second = launch("main.py", 1)
    assert first.outcome.status == "stopped"
    assert "same name" in first.outcome.reason
    assert second.outcome is None
    assert other.outcome is None


def test_a_timeout_ends_the_run_and_waiting_has_one_of_its_own(launch, write):
    write("main.py", "import time; time.sleep(600)")
    run = launch("main.py", 1, timeout=1.5)
    with pytest.raises(RunTimeout):
        run.wait(timeout=0.2)
    assert run.wait(check=False).status == "timed out"


@pytest.mark.full
def test_grace_lets_a_program_save_before_it_is_killed(launch, write):
    write(
        "main.py",
        """
        import signal, sys, time
        def save(*_):
            print("saved")
            sys.exit(0)
        signal.signal(signal.SIGTERM, save)
        print("ready")
        time.sleep(600)
        """,
    )
    run = launch("main.py", 1, grace=20)
    until_state(run, lambda state: "ready" in log(run, "worker:0"))
    run.stop()
    assert "saved" in log(run, "worker:0")


def test_killing_a_task_fails_the_run_in_words(launch, write):
    write("main.py", "import time; time.sleep(600)")
    run = launch("main.py", 2)
    until_state(run, lambda state: state.tasks[W1].begun)
    with pytest.raises(BadInput, match=r"no task worker:2"):
        run.kill("worker:2")
    run.kill("worker:1")
    assert run.wait(check=False).reason == "worker:1 was killed by signal 9 (SIGKILL)"
    with pytest.raises(NoRun):
        run.kill("worker:0")


def test_a_run_whose_supervisor_is_killed_is_lost_and_leaves_nothing(launch, write):
    write(
        "main.py",
        "import subprocess, time; subprocess.Popen(['sleep', '600']); print('on'); time.sleep(600)",
    )
    run = launch("main.py", 2)
    until_state(run, lambda state: "on" in log(run, "worker:0") and "on" in log(run, "worker:1"))
    os.kill(run.state.supervisor[0], signal.SIGKILL)
    outcome = run.wait(timeout=10, check=False)
    assert outcome.status == "lost"
    assert {task.status for task in run.tasks.values()} == {Status.LOST}
    assert Run.open(run.directory).outcome == outcome


@pytest.mark.full
def test_runs_survive_their_fork_server_and_the_next_launch_starts_a_new_one(launch, write):
    from mwtutor.engines.local import forkserver_client

    write("main.py", "import pathlib, time\nwhile not pathlib.Path('go').exists(): time.sleep(.02)")
    run = launch("main.py", 1)
    server = forkserver_client.server()
    os.kill(server.pid, signal.SIGKILL)
    server._process.wait()
    again = launch("main.py", 1, name="again")
    assert forkserver_client.server() is not server
    assert run.outcome is None
    Path("go").touch()
    assert run.wait().ok
    assert again.wait().ok


@pytest.mark.full
def test_several_launches_at_once_beside_a_port_thief(launch, write):
    write("main.py", STRATEGY)
    thieves = []
    try:
        runs = []
        for number in range(4):
            for _ in range(50):
                thieves.append(socket.create_server(("127.0.0.1", 0)))
            runs.append(launch("main.py", 2, name=f"run{number}", network="host"))
        assert [run.wait(check=False).reason for run in runs] == [""] * 4
    finally:
        for thief in thieves:
            thief.close()


def test_a_parameter_server_run_ends_with_its_chief(launch, write):
    write(
        "main.py",
        """
        import json, os, pathlib, time
        import tensorflow as tf
        resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
        if resolver.task_type != "chief":
            tf.distribute.Server(
                resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id
            ).join()
        strategy = tf.distribute.ParameterServerStrategy(resolver)
        with strategy.scope():
            print("placed on", tf.Variable(1.0).device)
        """,
    )
    run = launch("main.py", 2, chief=True, ps=1)
    run.wait(timeout=90)
    assert "job:ps" in log(run, "chief:0")
    assert {task.status for task in run.tasks.values()} == {Status.SUCCEEDED}
    assert run.state.ended - max(task.ended for task in run.tasks.values()) < 5


@pytest.mark.full
def test_cold_tasks_and_their_environment(launch, write):
    write("main.py", "import os, sys; print(os.environ['OMP_NUM_THREADS'], sys.argv, sys.path[0])")
    run = launch("main.py", 1, ["a b"], env={"OMP_NUM_THREADS": "1"})
    run.wait()
    assert not run.spec.warm
    assert "OMP_NUM_THREADS" in run.spec.why_cold
    printed = log(run, "worker:0").strip()
    assert printed == f"1 ['main.py', 'a b'] {os.getcwd()}"


def test_the_environment_is_taken_at_the_launch_and_never_changed(launch, write, monkeypatch):
    write("main.py", "import os; print(os.environ['COLOR'], os.environ['TF_CONFIG'][:11])")
    run = launch("main.py", 1)
    assert run.wait(check=False).reason.startswith("worker:0 raised KeyError: 'COLOR'")
    monkeypatch.setenv("COLOR", "blue")
    before = dict(os.environ)
    run = launch("main.py", 1)
    run.wait()
    assert log(run, "worker:0").startswith("blue")
    assert dict(os.environ) == before


def test_progress_and_metrics_of_a_loop_of_ones_own(launch, write):
    write(
        "main.py",
        """
        import mwtutor
        for step in range(1, 101):
            mwtutor.report(step, loss=1.0 / step, note="not a number")
        """,
    )
    run = launch("main.py", 1)
    run.wait()
    task = run.tasks[W0]
    assert task.step == 100
    assert task.metrics == {"loss": 0.01}


def test_keras_progress_is_taken_without_the_programs_help(launch, write):
    write(
        "main.py",
        """
        import numpy as np
        import tf_keras
        model = tf_keras.Sequential([tf_keras.layers.Dense(1)])
        model.compile(loss="mse", optimizer="sgd")
        model.fit(np.ones((64, 2)), np.ones((64, 1)), batch_size=8, epochs=2, verbose=0)
        """,
    )
    run = launch("main.py", 1)
    run.wait()
    task = run.tasks[W0]
    assert (task.epoch, task.epochs, task.step, task.steps) == (2, 2, 8, 8)
    assert set(task.metrics) == {"loss"}


@pytest.mark.full
@pytest.mark.tensorflow
@pytest.mark.parametrize("keras", [2, 3])
def test_what_keras_gives_after_a_step_is_the_mean_of_the_epoch_so_far(launch, write, keras):
    if keras not in keras_versions():
        pytest.skip(f"no Keras {keras} here")
    name = "tf_keras as keras" if keras == 2 else "keras"
    write(
        "main.py",
        f"""
        import time
        import numpy as np
        import {name}
        model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="zeros")])
        model.compile(loss="mse", optimizer=keras.optimizers.SGD(0.0))  # so that nothing is learned
        slow = keras.callbacks.LambdaCallback(on_train_batch_end=lambda *_, **__: time.sleep(0.3))
        x, y = np.ones((4, 2)), np.array([[1.0], [2.0], [3.0], [4.0]])  # losses of 1, 4, 9, 16
        model.fit(x, y, batch_size=1, epochs=2, shuffle=False, verbose=0, callbacks=[slow])
        """,
    )
    run = launch("main.py", 1)
    run.wait()
    means = {1: 1.0, 2: 2.5, 3: 14 / 3, 4: 7.5}
    found = run.history("loss")[W0]
    assert len(found) >= 8
    for step, value in found:
        assert value == pytest.approx(means[(step - 1) % 4 + 1], rel=1e-6)
    assert curves(run, "loss").up == "loss, over the epoch so far"


def test_the_run_directory_says_everything_and_only_to_its_owner(launch, write):
    write("main.py", "")
    run = launch("main.py", 1)
    run.wait()
    assert run.directory.stat().st_mode & 0o077 == 0
    assert (run.directory.parent.parent / ".gitignore").read_text() == "*\n"
    reopened = Run.open(run.directory)
    assert reopened.outcome == run.outcome
    events = [json.loads(line)["event"] for line in run.spec.events.read_text().splitlines()]
    assert events[0] == "run_started"
    assert events[-1] == "run_ended"


def test_native_code_that_can_start_no_thread_says_what_limits_them(launch, write):
    """As under ``ulimit -u 40``: TensorFlow aborts when the system refuses it a thread."""
    write(
        "main.py",
        """
        import os, resource
        resource.setrlimit(resource.RLIMIT_NPROC, (2, 2))
        if os.getuid() == 0:  # root has no such limit
            os.setgid(65534)
            os.setuid(65534)
        import tensorflow as tf
        tf.constant(1.0)
        """,
    )
    run = launch("main.py", 1)
    with pytest.raises(RunFailed) as failed:
        run.wait(timeout=60)
    said = str(failed.value)
    assert "worker:0 was killed by signal 6 (SIGABRT): Check failed" in said
    assert "; the system refused to start another thread: see ulimit -u, which" in said


LAUNCHER = """
    import subprocess, sys
    worker = subprocess.Popen([sys.executable, "work.py", sys.argv[1]])
    subprocess.Popen(f"{sys.executable} work.py {sys.argv[1]} & wait", shell=True).poll()
    subprocess.Popen([sys.executable, "work.py", sys.argv[1]], start_new_session=True).poll()
    """


def test_a_launcher_is_told_from_the_workers_that_it_starts(launch, write):
    write("work.py", "import sys, time; time.sleep(float(sys.argv[1])); sys.exit(2)")
    write("main.py", LAUNCHER)
    write("waits.py", LAUNCHER.partition("    subprocess.Popen(f")[0] + "    worker.wait()")
    run = launch("waits.py", 1, ["0"])
    assert run.wait(timeout=60).ok, "so it is under python main.py"
    assert "of its own (work.py), which exited with status 2;" in repr(Panel.from_run(run))
    run = launch("main.py", 2, ["600"])
    outcome = run.wait(timeout=60, check=False)
    assert outcome.status == "stopped", "what it started was ended with it"
    assert outcome.reason.startswith("work.py was still running when the program that had started")
    assert "main.py started processes of its own (work.py); no task" in repr(Panel.from_run(run))
    assert "Launch work.py itself: %mw_launch 2 work.py" in repr(Panel.from_run(run))


@pytest.mark.full
def test_without_a_home_tasks_succeed_and_nothing_is_left(write, work, tmp_path):
    write("main.py", "print(7)")
    shown = subprocess.run(
        [sys.executable, "-m", "mwtutor", "launch", "2", "main.py"],
        env={**os.environ, "HOME": "/proc/none", "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
    ).stdout
    assert shown.count("| 7\n") == 2
    assert "Traceback" not in shown  # as if one task had removed the directory of both
    assert not [*tmp_path.glob("matplotlib-*")]
