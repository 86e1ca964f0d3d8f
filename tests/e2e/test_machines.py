"""Tasks on simulated machines: what they see, what a pulled cable does, and what remains."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from mwtutor import find_runs, scaling
from mwtutor.cluster import ClusterSize
from mwtutor.display.panel.panel import Panel
from mwtutor.exceptions import BadInput, LaunchFailed
from mwtutor.run import control
from tests.e2e.test_cli import MWTUTOR, mwtutor
from tests.e2e.test_launch import W0, W1, log
from tests.support.machines.network import (
    BODY,
    as_ordinary_user,
    held_networks,
    needs_machines,
    own_address,
    web_server,
)
from tests.support.runs.live_session import Session
from tests.support.waiting import until_ended, until_state

pytestmark = pytest.mark.e2e

#: Answers every caller, and calls the other tasks at the given addresses.
PLAIN = """
    import json, os, pathlib, socket, threading, time
    config = json.loads(os.environ["TF_CONFIG"])
    workers, index = config["cluster"]["worker"], config["task"]["index"]
    listening = socket.create_server(("", int(workers[index].rsplit(":")[-1])))

    def serve():
        while True:
            with listening.accept()[0] as client:
                client.sendall(socket.gethostname().encode())

    def hears(host, port):
        try:
            with socket.create_connection((host, port), timeout=1.0) as server:
                return server.recv(100).decode()
        except OSError:
            return ""

    threading.Thread(target=serve, daemon=True).start()
    print(socket.gethostname(), os.readlink("/proc/self/ns/net"), flush=True)
    host, port = workers[index - 1].split(":")
    heard = None
    while not pathlib.Path("end").exists():
        if (now := hears(host, int(port))) != heard:
            heard = now
            print(f"hears {heard or 'nobody'}", flush=True)
        time.sleep(0.05)
"""


def test_tasks_have_machines_and_a_pulled_cable_cuts_them_off(launch, write, capsys):
    needs_machines()
    write(
        "main.py",
        PLAIN
        + """
    import urllib.request
    print("fetched", len(urllib.request.urlopen(os.environ["WEB"]).read()))
    """,
    )
    with web_server(own_address()) as web:
        run = launch("main.py", 2, machines=True, link="1gbit", env={"WEB": f"http://{web.where}"})
        until_state(run, lambda state: "hears machine-0" in log(run, "worker:1"))
        assert [log(run, f"worker:{n}").split()[0] for n in (0, 1)] == ["machine-0", "machine-1"]
        assert run.state.cluster.worker == ("10.9.0.1:2222", "10.9.0.2:2222")
        assert [one.name for one in run.state.machines] == ["machine-0", "machine-1"]
        assert "2 machines, 1gbit each · private network" in repr(Panel.from_run(run))

        assert run.unplug("worker:1") == "machine-1"
        until_state(run, lambda state: "hears nobody" in log(run, "worker:1"))
        assert run.state.machine_of(W1).unplugged
        shown = repr(Panel.from_run(run))
        assert "machine-1, unplugged for" in shown
        assert "Plug in again: %mw_plug worker:1" in shown
        with pytest.raises(BadInput, match="machine-1 is already unplugged"):
            run.unplug("worker:1")

        assert run.plug("worker:1") == "machine-1"
        until_state(run, lambda state: log(run, "worker:1").count("hears machine-0") >= 2)
        assert not run.state.machine_of(W1).unplugged
        with pytest.raises(BadInput, match="machine-1 is already plugged in"):
            run.plug("worker:1")
        assert run.link("worker:1", "100mbit") == "machine-1"
        assert run.state.machine_of(W1).link == "100mbit"
        Path("end").touch()
        assert run.wait().ok
    assert f"fetched {len(BODY)}" in log(run, "worker:1"), "the web is reached through the relay"
    assert run.traffic()[-1].bytes[1][0] > 500
    assert "worker:1 unplugged after" in repr(run.timeline()) or run.timeline().lanes[1].marks
    assert "worker:1 machine-1 | hears nobody" in mwtutor("logs", "worker:1").stdout


@pytest.mark.full
def test_tasks_are_dealt_out_to_fewer_machines(launch, write):
    needs_machines()
    write("main.py", PLAIN)
    Path("end").touch()
    run = launch("main.py", 3, machines=2)
    assert run.wait().ok
    assert run.state.cluster.worker == ("10.9.0.1:2222", "10.9.0.1:2223", "10.9.0.2:2222")
    hosts = [log(run, f"worker:{number}").split() for number in range(3)]
    assert [host[0] for host in hosts] == ["machine-0", "machine-0", "machine-1"]
    assert hosts[0][1] == hosts[1][1] != hosts[2][1]


LAUNCHES = """
import mwtutor, time
run = mwtutor.launch("main.py", 2, machines=True, cold=True)
print("launched", flush=True)
time.sleep(600)
"""


def on_machines(names):
    """The processes that run in these network namespaces."""
    return [one for one in psutil.process_iter(["name", "cmdline"]) if network_of(one.pid) in names]


@pytest.mark.full
@pytest.mark.parametrize("end", ["supervisor", "owner", "guard"])
def test_nothing_is_left_of_machines_when_somebody_is_killed(write, end):
    needs_machines()
    write("main.py", PLAIN)
    owner = subprocess.Popen([sys.executable, "-c", LAUNCHES], stdout=subprocess.PIPE)
    try:
        assert owner.stdout.readline() == b"launched\n"
        run = find_runs.find("main")
        state = until_state(run, lambda state: "hears machine-1" in log(run, "worker:0"))
        supervisor = psutil.Process(state.supervisor[0])
        guard = supervisor.parent()
        started = [supervisor, guard, *supervisor.children(recursive=True)]
        names = {log(run, f"worker:{number}").split()[1] for number in (0, 1)}
        with held_networks(state):
            run.unplug("worker:1")
            {"supervisor": supervisor, "owner": owner, "guard": guard}[end].kill()
            if end == "guard":
                run.stop()
            until_ended(started)
            assert run.outcome is not None
            assert not control.paths(run.spec)
            assert not names & set(map(network_of, psutil.pids()))
    finally:
        owner.kill()
        owner.wait()
        owner.stdout.close()


#: Ctrl-C at three points in a run's launch, and repeatedly while a cable is pulled.
INTERRUPTED = """
import os, signal, threading, time
import mwtutor, psutil

def interrupted(when, call, *args, **options):
    def watch():
        while not when():
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)
    watcher = threading.Thread(target=watch)
    try:
        watcher.start()
        done = call(*args, **options)
        watcher.join()
        time.sleep(5)  # until the signal comes
    except KeyboardInterrupt:
        watcher.join()

def processes():
    return psutil.Process().children(recursive=True)

def on_a_machine():
    def network(pid):
        try:
            return os.readlink(f"/proc/{pid}/ns/net")
        except OSError:
            return mine
    mine = os.readlink("/proc/self/ns/net")
    return any(network(one.pid) != mine for one in processes())

mwtutor.launch("main.py", 1, name="first").stop()  # there is a fork server now
before = len(processes())
for at, when in enumerate((lambda: True, lambda: len(processes()) > before, on_a_machine)):
    # Names differ: under one name, the next launch would end what is left.
    interrupted(when, mwtutor.launch, "main.py", 2, machines=True, name=f"trial-{at}")
run = mwtutor.launch("main.py", 2, machines=True)
for trial in range(10):
    pulled = run.state.machine_of(mwtutor.TaskId("worker", 1)).unplugged
    end = time.monotonic() + trial / 2_000
    interrupted(lambda: time.monotonic() > end, run.plug if pulled else run.unplug, "worker:1")
    run.link("worker:0", "1gbit")  # done when the orders before it are
alive = [run.name for run in mwtutor.runs() if run.outcome is None]
print("alive", alive, on_a_machine(), flush=True)
run.stop()
print("stopped", flush=True)
input()
"""


@pytest.mark.full
def test_an_interrupted_launch_leaves_nothing_and_an_interrupted_unplugging_is_whole(write):
    needs_machines()
    write("main.py", "import time; time.sleep(600)")
    write("interrupted.py", INTERRUPTED)
    command = [sys.executable, "interrupted.py"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as owner:
        try:
            assert owner.stdout.readline() == b"alive ['main'] True\n"
            assert owner.stdout.readline() == b"stopped\n"
            deadline = time.monotonic() + 10
            while left := processes_on_machines(owner.pid):
                assert time.monotonic() < deadline, left
                time.sleep(0.05)
        finally:
            owner.kill()


def processes_on_machines(owner: int) -> list[psutil.Process]:
    """The processes that ``owner`` started and that are in another network."""
    started = psutil.Process(owner).children(recursive=True)
    return [one for one in started if network_of(one.pid) not in ("", network_of(owner))]


def network_of(pid: int) -> str:
    try:
        return os.readlink(f"/proc/{pid}/ns/net")
    except OSError:
        return ""


@pytest.mark.full
def test_an_ordinary_user_has_machines(write, work):
    write(
        "main.py",
        """
        import os, pathlib, socket
        status = pathlib.Path("/proc/self/status").read_text()
        pathlib.Path(f"made-{socket.gethostname()}").write_text("")
        print(os.getuid(), socket.gethostname(), status.split("CapEff:")[1].split()[0])
        print(socket.gethostbyname("machine-1"))
        """,
    )
    env = ["env", f"PYTHONPATH={Path(__file__).resolve().parents[2]}"]
    command = [*MWTUTOR, "launch", "2", "main.py", "--cold", "--machines", "--link", "100mbit"]
    done = as_ordinary_user([*env, *command], work)
    if "cannot be simulated" in done.stderr:
        pytest.skip(done.stderr.splitlines()[-2])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "worker:1 | 42424 machine-1 0000000000000000" in done.stdout
    assert "worker:0 | 10.9.0.2" in done.stdout


@pytest.mark.full
def test_where_there_can_be_none_that_is_said_and_nothing_is_started(write):
    """In a user namespace in which the system allows no network namespace."""
    unshare = ["unshare", "--user", "--map-root-user"]
    if shutil.which("unshare") is None or subprocess.run([*unshare, "true"]).returncode:
        pytest.skip("a user namespace, to set limits in, cannot be made here")
    write("main.py", "")
    limit = 'echo 0 > /proc/sys/user/max_net_namespaces; exec "$@"'
    command = [*unshare, "sh", "-c", limit, "sh", *MWTUTOR, "launch", "1", "main.py", "--cold"]
    done = subprocess.run([*command, "--machines"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "Machines cannot be simulated here: a network namespace is un" in done.stderr
    assert "Launch without --machines" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.full
def test_a_delay_that_the_kernel_cannot_make_is_refused(launch, write):
    needs_machines()
    write("main.py", "")
    try:
        launch("main.py", 2, machines=True, link="1gbit,1ms").wait()
    except LaunchFailed as error:
        assert "netem, which delays a link, is unavailable here" in error.problem
        assert "without a delay" in error.remedy


@pytest.mark.full
def test_cells_run_on_machines(work):
    needs_machines()
    session = Session(ClusterSize(2), machines=True)
    try:
        session.run("import socket; print(socket.gethostname())")
        assert [session.texts(task) for task in (W0, W1)] == ["machine-0\n", "machine-1\n"]
    finally:
        session.api.stop()


#: A 4 MB all-reduce, timed repeatedly on request; the shortest time counts.
REDUCES = """
    import pathlib, time
    import tensorflow as tf

    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    gradients = tf.zeros([1_000_000])

    @tf.function
    def reduce():
        def of_replica():
            return tf.distribute.get_replica_context().all_reduce("sum", gradients)[0]
        return strategy.experimental_local_results(strategy.run(of_replica))[0]

    def seconds():
        begin = time.perf_counter()
        reduce().numpy()
        return time.perf_counter() - begin

    seconds()
    for number in range(3):
        while not pathlib.Path(f"go-{number}").exists():
            time.sleep(0.02)
        seconds()  # both have begun, and the buckets are empty
        print("least", min(seconds() for _ in range(3)), flush=True)
"""

#: The extra time that a step may take on a busy machine: a fraction of its transfer time, and
#: seconds.
MARGIN, BUSY = 0.15, 0.25


@pytest.mark.full
def test_an_all_reduce_takes_what_the_formula_says_at_three_speeds(launch, write):
    needs_machines()
    write("main.py", REDUCES)
    run = launch("main.py", 2, machines=True)
    work = scaling.Workload(0.0, 4e6)
    for number, rate in enumerate((20e6, 50e6, 100e6)):
        for task in ("worker:0", "worker:1"):
            run.link(task, f"{rate / 1e6:g}mbit")
        Path(f"go-{number}").touch()
        until_state(run, lambda state, n=number: log(run, "worker:0").count("least") == n + 1)
        seconds = float(log(run, "worker:0").split()[-1])
        formula = scaling.step_time(work, 2, rate)
        assert formula * (1 - MARGIN) < seconds < formula * (1 + MARGIN) + BUSY
    run.wait()


#: Continues to train, from its last backup if there is one.
RESUMES = """
    import os
    import numpy as np, tensorflow as tf, keras

    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile("sgd", "mse")
    rows = np.ones((64, 4), "float32")
    data = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1])).batch(8).repeat()
    epochs = 3000 if os.environ["MWTUTOR_ATTEMPT"] == "1" else 4
    history = model.fit(
        data, epochs=epochs, steps_per_epoch=4, verbose=0,
        callbacks=[keras.callbacks.BackupAndRestore("backup")],
    )
    print("attempt", os.environ["MWTUTOR_ATTEMPT"], "ends", len(history.epoch), flush=True)
"""


@pytest.mark.full
def test_a_partition_ends_an_attempt_and_the_next_goes_on_where_it_was(launch, write):
    needs_machines()
    write("main.py", RESUMES)
    run = launch("main.py", 2, machines=True, restarts=2)
    until_state(run, lambda state: all((task.epoch or 0) >= 2 for task in state.tasks.values()))
    run.unplug("worker:1")
    state = until_state(run, lambda state: len(state.attempts) == 2)
    assert "heartbeat" in state.attempts[0].reason.lower()
    assert "mwtutor: A task has sent no heartbeats" in log(run, str(state.attempts[0].culprit))
    until_state(run, lambda state: all(task.listening for task in state.tasks.values()))
    assert not run.state.formed, "who is unplugged has joined nobody"
    run.plug("worker:1")
    assert run.wait().ok
    assert "attempt 2 ends" in log(run, "worker:0")
