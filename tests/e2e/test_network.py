"""Who can reach a run, and what it can reach; its network leaves nothing behind."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from mwtutor.display.panel.panel import Panel
from mwtutor.exceptions import LaunchFailed
from mwtutor.find_runs import find
from mwtutor.network.hints import LOCALHOST
from mwtutor.run import control
from mwtutor.run.request.options import LaunchRequest
from mwtutor.sessions.session import Session
from tests.e2e.test_cli import MWTUTOR, mwtutor
from tests.e2e.test_launch import STRATEGY, log
from tests.support.machines.network import (
    BODY,
    Neighbor,
    as_ordinary_user,
    certificate,
    held_networks,
    needs_private_network,
    own_address,
    reaches,
    web_server,
)
from tests.support.waiting import until_ended, until_state

pytestmark = pytest.mark.e2e

STAYS = STRATEGY + "    import time; time.sleep(600)\n"

#: Listens where TensorFlow would, reports its network, queries the relay, and keeps running.
PLAIN = """
    import json, os, pathlib, socket, time
    config = json.loads(os.environ["TF_CONFIG"])
    own, *_ = config["cluster"]["worker"][config["task"]["index"]:]
    listening = socket.create_server(("", int(own.rsplit(":")[-1])), reuse_port=True)
    print(os.readlink("/proc/self/ns/net"), flush=True)
    if os.environ.get("http_proxy"):
        host, port = os.environ["http_proxy"].removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as relay:
            relay.sendall(b"nonsense\\r\\n\\r\\n")
            print(relay.recv(100).split(b"\\r\\n")[0], flush=True)
    while not pathlib.Path("end").exists():
        time.sleep(0.02)
"""


@pytest.fixture
def neighbor():
    other = Neighbor()
    yield other
    other.close()


def ports(run) -> list[int]:
    addresses = run.state.cluster.worker
    return [int(address.rsplit(":")[-1]) for address in addresses]


def test_nobody_outside_reaches_a_private_run(launch, write):
    needs_private_network()
    write("main.py", STAYS)
    run = launch("main.py", 2)
    until_state(run, lambda state: state.formed)
    assert run.state.network.kind == "private"
    assert not any(reaches("127.0.0.1", port) for port in ports(run))
    assert not any(reaches("::1", port) for port in ports(run))
    assert "private network" in repr(Panel.from_run(run))


def test_whoever_reaches_the_machine_reaches_a_run_in_the_host_network_and_it_is_said(
    launch, write
):
    write("main.py", STAYS)
    run = launch("main.py", 2, network="host")
    until_state(run, lambda state: state.formed)
    assert all(reaches("127.0.0.1", port) for port in ports(run))
    shown = repr(Panel.from_run(run))
    assert "host network" in shown
    assert "can reach this machine" in shown
    assert "run code in its tasks" in Panel.from_run(run)._repr_html_()


@pytest.mark.full
def test_another_machine_reaches_a_run_in_the_host_network_only(launch, write, neighbor):
    needs_private_network()
    write("main.py", PLAIN)
    for network, reached in ("private", False), ("host", True):
        run = launch("main.py", 2, name=network, network=network)
        until_state(run, lambda state: state.formed)
        assert [neighbor.reaches(port) for port in ports(run)] == [reached, reached]


def test_private_runs_side_by_side_do_not_meet(launch, write):
    needs_private_network()
    write("main.py", PLAIN)
    runs = [launch("main.py", 2, name=name, network="private") for name in ("one", "two")]
    for run in runs:
        until_state(run, lambda state: state.formed)
    assert ports(runs[0]) == ports(runs[1])
    Path("end").touch()
    for run in runs:
        run.wait()
    inside = [{log(run, task).split()[0] for task in ("worker:0", "worker:1")} for run in runs]
    assert len(inside[0]) == len(inside[1]) == 1
    assert inside[0] != inside[1]


def test_a_worker_downloads_through_the_relay(launch, write, tmp_path):
    needs_private_network()
    address = own_address()
    pair = certificate(tmp_path, address)
    write(
        "main.py",
        """
        import hashlib, sys, urllib.request
        import requests
        for url in sys.argv[1:]:
            with urllib.request.urlopen(url) as answer:
                print(hashlib.sha256(answer.read()).hexdigest())
            print(hashlib.sha256(requests.get(url).content).hexdigest())
        """,
    )
    with web_server(address) as plain, web_server(address, pair) as tls:
        urls = [f"http://{plain.where}/data", f"https://{tls.where}/data"]
        env = {"SSL_CERT_FILE": str(pair[0]), "REQUESTS_CA_BUNDLE": str(pair[0])}
        clean = {name: "" for name in os.environ if name.lower().endswith("_proxy")}
        run = launch("main.py", 2, urls, network="private", env={**env, **clean})
        run.wait(timeout=60)
    digest = hashlib.sha256(BODY).hexdigest()
    assert log(run, "worker:0").split() == log(run, "worker:1").split() == [digest] * 4


@pytest.mark.full
def test_a_server_on_the_machines_localhost_is_not_reached_and_why_is_said(launch, write):
    needs_private_network()
    write(
        "main.py",
        """
        import os, socket, sys, urllib.request
        where = f"127.0.0.1:{sys.argv[1]}"
        relay = os.environ["http_proxy"].removeprefix("http://").split(":")
        with socket.create_connection(relay) as client:
            client.sendall(f"CONNECT {where} HTTP/1.1\\r\\nHost: {where}\\r\\n\\r\\n".encode())
            print(client.recv(100).decode().split("\\r\\n")[0], flush=True)
        urllib.request.urlopen(f"http://{where}/")
        """,
    )
    with web_server("127.0.0.1") as tracking:
        port = str(tracking.server_address[1])
        run = launch("main.py", 1, [port], network="private")
        assert "Connection refused" in run.wait(check=False, timeout=60).reason
        assert tracking.requests == []
        printed = log(run, "worker:0")
        assert printed.startswith("HTTP/1.1 403 127.0.0.1 belongs to this machine")
        assert printed.endswith(f"{LOCALHOST}\n")
        run = launch("main.py", 1, [port], network="host", env={"http_proxy": f"http://x:{port}"})
        assert LOCALHOST not in log(run, "worker:0")


@pytest.mark.full
@pytest.mark.usefixtures("work", "_engine")
def test_the_hint_is_given_in_cells_too():
    needs_private_network()
    said = []

    class Listener:
        def output(self, task, output) -> None:
            said.append(output.text)

        def ended(self, task) -> None: ...

        def tick(self) -> None: ...

    session = Session.start(LaunchRequest("", workers=1))
    try:
        assert session.run.state.network.kind == "private"
        cell = "import socket; socket.create_connection(('localhost', 1))"
        result = session.execute(cell, listener=Listener())
    finally:
        session.stop()
    assert [error.name for error in result.errors.values()] == ["ConnectionRefusedError"]
    assert LOCALHOST in "".join(said)


def in_namespace(name: str) -> list[str]:
    """The other processes that are in the network namespace, or that keep it alive."""
    found = []
    for process in psutil.process_iter():
        if process.pid == os.getpid():
            continue
        at = Path("/proc", str(process.pid))
        try:
            holds = {os.readlink(fd) for fd in (at / "fd").iterdir()}
            if name in {os.readlink(at / "ns/net"), *holds}:
                found.append(str(process))
        except OSError:
            continue
    return found


LAUNCHES = """
import mwtutor, sys, time
run = mwtutor.launch("main.py", 2, network="private", cold=True)
print("launched", flush=True)
time.sleep(600)
"""


@pytest.mark.full
@pytest.mark.parametrize("end", ["program", "supervisor", "owner"])
def test_nothing_is_left_of_a_private_network(write, end):
    needs_private_network()
    write("main.py", PLAIN)
    owner = subprocess.Popen([sys.executable, "-c", LAUNCHES], stdout=subprocess.PIPE)
    try:
        assert owner.stdout.readline() == b"launched\n"
        run = find("main")
        state = until_state(run, lambda now: now.formed and "400" in log(run, "worker:1"))
        name = log(run, "worker:0").split()[0]
        supervisor = psutil.Process(state.supervisor[0])
        guard = supervisor.parent()
        started = [supervisor, *supervisor.children(recursive=True)]
        assert len(started) == 4, "a supervisor, a relay and two tasks"
        assert len(in_namespace(name)) == 3, "the relay holds no more than the door"
        with held_networks(state):
            if end == "program":
                Path("end").touch()
            elif end == "supervisor":
                supervisor.kill()
            else:
                owner.kill()
            until_ended([guard, *started])
            assert in_namespace(name) == []
        assert run.outcome is not None
        assert not control.paths(run.spec)
    finally:
        owner.kill()
        owner.wait()
        owner.stdout.close()


@pytest.mark.full
def test_an_ordinary_user_has_a_private_network_and_stays_who_it_is(write, work):
    write(
        "main.py",
        PLAIN.replace("while not", "if False and not")
        + """
    status = pathlib.Path("/proc/self/status").read_text()
    effective = status.split("CapEff:")[1].split()[0]
    pathlib.Path("made").write_text("")
    print(os.getuid(), os.getgid(), int(effective, 16), pathlib.Path("made").stat().st_uid)
    while True:  # until it has been seen that it listens
        time.sleep(0.2)
        if pathlib.Path("seen").exists():
            break
    """,
    )
    write(
        "look.py",
        """
        import pathlib, socket, sys
        import mwtutor
        run = mwtutor.launch("main.py", 1, network="private")
        for state in run.watch(timeout=60):
            if state.formed:
                break
        port = int(state.cluster.worker[0].rsplit(":")[-1])
        with socket.socket() as client:
            print("reached", client.connect_ex(("127.0.0.1", port)) == 0)
        pathlib.Path("seen").touch()
        run.wait()
        print(run.state.network.words)
        print(next(iter((run.directory / "logs").glob("*.log"))).read_text())
        """,
    )
    env = ["env", f"PYTHONPATH={Path(__file__).resolve().parents[2]}"]
    done = as_ordinary_user([*env, sys.executable, "look.py"], work)
    if "private network is not possible" in done.stderr:
        pytest.skip(done.stderr.splitlines()[-2])
    assert done.returncode == 0, done.stdout + done.stderr
    reached, network, inside, refused, who = done.stdout.split("\n")[:5]
    assert (reached, network) == ("reached False", "private network")
    assert inside != os.readlink("/proc/self/ns/net")
    assert "400" in refused, "the relay answers"
    assert who == "42424 42424 0 42424"


@pytest.mark.full
def test_where_there_can_be_no_private_network_the_run_says_what_that_exposes(write):
    """In a user namespace in which the system allows no network namespace."""
    unshare = ["unshare", "--user", "--map-root-user"]
    if shutil.which("unshare") is None or subprocess.run([*unshare, "true"]).returncode:
        pytest.skip("a user namespace, to set limits in, cannot be made here")
    write("main.py", "")
    limit = 'echo 0 > /proc/sys/user/max_net_namespaces; exec "$@"'
    command = [*unshare, "sh", "-c", limit, "sh", *MWTUTOR, "launch", "1", "main.py", "--cold"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "can reach this machine" in done.stdout.splitlines()[1]
    why = "host network, because a network namespace is unavailable here (No space left on device)"
    assert why in done.stdout
    assert "host network, because" in mwtutor("status").stdout
    events = [json.loads(line) for line in find().spec.events.read_text().splitlines()]
    assert events[0]["network"]["kind"] == "host"

    done = subprocess.run(
        [*command, "--network", "private", "--name", "not"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "A private network is not possible: a network namespace is unavailable" in done.stderr
    assert "--network host" in done.stderr
    assert "Traceback" not in done.stderr
    assert [
        path.name for path in Path(".mwtutor/runs").iterdir() if path.name.endswith("-not")
    ] == []


def test_a_private_network_that_cannot_be_had_is_an_error(launch, write):
    write("main.py", "")
    with pytest.raises(
        LaunchFailed, match="private network is not possible: all_proxy is a socks5 proxy"
    ):
        launch("main.py", 1, network="private", env={"all_proxy": "socks5://127.0.0.1:1080"})
