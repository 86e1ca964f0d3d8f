"""Inject hundreds of faults; measure how soon each is noticed and cleared, and what is left.

    python benchmarks/faults.py [--trials 20] [--launches 200] [--seed 0] [--json FILE]
                                [--only WORDS]

The trials, in random order:

- each fault of a task in each phase of a training run, ``--trials`` times, and ``--launches`` more
  drawn at random;
- ``--trials`` times each: a deadly signal while the cluster forms; a killed parameter server,
  supervisor, fork server or kernel; a supervisor killed with its guard while tasks have forked
  children; a supervisor that hangs while its kernel is killed or the run should stop; reading the
  run from a container;
- ``--trials`` times each, with simulated machines (``--machines``), one of them unplugged: it is
  then left alone or plugged in again, or a process is killed. Here, any process in one of their
  networks counts as left behind.

``--only`` chooses rows by words in their names. The process that dies writes the time just before
it dies. ``seen`` is when the supervisor decided to end the run, ``cleared`` when the last of the
other processes had ended, both in seconds after the death. For a supervisor or a kernel,
``cleared`` is when the last process had ended. ``left`` counts processes, ports and sockets of the
run one second later.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from versions import versions

import mwtutor
from mwtutor.cluster import TaskId
from mwtutor.engines.local import forkserver_client
from mwtutor.find_runs import find
from mwtutor.run import control
from mwtutor.run.engine import Engines
from mwtutor.run.record.eventlog import EventReader
from mwtutor.run.run import Run
from mwtutor.singletons import singleton
from mwtutor.system import processes

PROGRAM = str(Path(__file__).parent.parent / "tests" / "support" / "programs" / "fault.py")
PHASES = ("before it forms", "in the first step", "in mid-training", "after the last step")
FAULTS = ("exit code", "exception", "os._exit", "SIGKILL", "segmentation fault")
VICTIMS = ("worker:0", "worker:1", "chief:0")
MACHINE_ENDS = (
    "left alone",
    "plugged in again",
    "run stopped",
    "its task killed",
    "other task killed",
    "supervisor killed",
    "guard and supervisor killed",
)
SIGNALS = (signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT)
KERNEL = (
    "import mwtutor, sys, time; mwtutor.launch(*eval(sys.argv[1]), network='host'); time.sleep(600)"
)


@dataclass
class Row:
    """The trials of one kind."""

    trials: int = 0
    seen: list[float] = field(default_factory=list)
    cleared: list[float] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--launches", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    rows: dict[str, Row] = {}
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        planned = plan(options.trials, options.launches, random.Random(options.seed))
        for name, trial in [one for one in planned if options.only in one[0]]:
            for file in ("died", "reached"):
                Path(file).unlink(missing_ok=True)
            row = rows.setdefault(name, Row())
            row.trials += 1
            trial(row)
            print(".", end="", flush=True)
        singleton(Engines).close()
        os.chdir("/")
    print("\n" + table(rows))
    if options.json:
        found = {"versions": versions(), "faults": figures(rows)}
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    sys.exit(any(row.left or row.wrong for row in rows.values()))


def plan(
    trials: int, launches: int, chance: random.Random
) -> list[tuple[str, Callable[[Row], None]]]:
    """The trials, in random order: the name of each in the table, and the function that runs it."""

    def task(phase: str, fault: str, victim: str) -> tuple[str, Callable[[Row], None]]:
        return f"{fault}, {phase}", lambda row: task_trial(row, phase, fault, victim)

    wanted = [
        task(phase, fault, chance.choice(VICTIMS))
        for phase in PHASES
        for fault in FAULTS
        for _ in range(trials)
    ]
    wanted += [
        task(chance.choice(PHASES), chance.choice(FAULTS), chance.choice(VICTIMS))
        for _ in range(launches)
    ]
    wanted += [
        (f"{number.name}, while it forms", lambda row, number=number: forming_trial(row, number))
        for number in SIGNALS
        for _ in range(trials)
    ]
    for name, trial in (
        ("parameter server killed", parameter_server_trial),
        ("supervisor killed", supervisor_trial),
        ("fork server killed", fork_server_trial),
        ("kernel killed", kernel_trial),
        ("looked at from a container", container_trial),
        ("guard and supervisor killed", guard_trial),
        ("supervisor stopped and kernel killed", hung_kernel_trial),
        ("supervisor stopped and run told to stop", hung_stop_trial),
    ):
        wanted += [(name, trial)] * trials
    wanted += [
        (f"a machine unplugged: {then}", lambda row, then=then: machine_trial(row, then))
        for then in MACHINE_ENDS
        for _ in range(trials)
    ]
    chance.shuffle(wanted)
    return wanted


def task_trial(row: Row, phase: str, fault: str, victim: str) -> None:
    chief = victim == "chief:0"
    run = mwtutor.launch(
        PROGRAM, 1 if chief else 2, [victim, phase, fault], chief=chief, network="host"
    )
    run.wait(timeout=120, check=False)
    judge(row, run, victim, float(Path("died").read_text()))


def forming_trial(row: Row, number: signal.Signals) -> None:
    """Kill a task from outside while it is in the strategy's constructor, which holds the GIL."""
    run = mwtutor.launch(PROGRAM, 2, ["worker:1", "while it forms", "none"], network="host")
    await_condition(lambda: run.tasks[TaskId("worker", 1)].listening)
    died = time.time()
    run.kill("worker:1", number)
    run.wait(timeout=120, check=False)
    judge(row, run, "worker:1", died)


def parameter_server_trial(row: Row) -> None:
    run = mwtutor.launch(
        PROGRAM, 1, ["chief:0", "in mid-training", "none"], chief=True, ps=1, network="host"
    )
    await_condition(Path("reached").exists)
    died = time.time()
    run.kill("ps:0")
    run.wait(timeout=120, check=False)
    judge(row, run, "ps:0", died)


def judge(row: Row, run: Run, victim: str, died: float) -> None:
    """Record a run's report about the death of one of its tasks."""
    if run.outcome.culprit != TaskId.parse(victim):
        row.wrong.append(f"{victim}: {run.outcome.reason}")
    ending = next(e["t"] for e in EventReader(run.spec.events).read() if e["event"] == "ending")
    row.seen.append(ending - died)
    others = [task.ended for name, task in run.tasks.items() if str(name) != victim]
    row.cleared.append(max(others) - died)
    row.left += remains(run)


def training(*more: str) -> Run:
    arguments = ["worker:0", "in mid-training", "none", *more]
    run = mwtutor.launch(PROGRAM, 2, arguments, network="host")
    await_condition(Path("reached").exists)
    return run


def await_condition(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("the phase was never reached")
        time.sleep(0.02)


def supervisor_trial(row: Row) -> None:
    run = training()
    tasks = [psutil.Process(task.pid) for task in run.tasks.values()]
    killed(row, run, run.state.supervisor[0], tasks)


def fork_server_trial(row: Row) -> None:
    run = training()
    server = forkserver_client.server()
    os.kill(server.pid, signal.SIGKILL)
    server._process.wait()
    if run.outcome is not None:
        row.wrong.append(f"the run ended with its fork server: {run.outcome.reason}")
    run.stop()
    row.left += remains(run)


def guard_trial(row: Row) -> None:
    """Reading the run must find the processes that are left, because nothing else does."""
    run = training("forked")
    supervisor = psutil.Process(run.state.supervisor[0])
    below = supervisor.children(recursive=True)
    if len(below) < 4:
        row.wrong.append(f"only {len(below)} processes below the supervisor")
    supervisor.parent().kill()
    died = time.time()
    supervisor.kill()
    run.wait(timeout=30, check=False)
    await_end(row, died, below)
    row.left += remains(run)


def hung_stop_trial(row: Row) -> None:
    run = training()
    supervisor = psutil.Process(run.state.supervisor[0])
    below = [supervisor, *supervisor.children(recursive=True)]
    supervisor.suspend()
    died = time.time()
    hung(row, run.stop().reason)
    await_end(row, died, below)
    row.left += remains(run)


def hung_kernel_trial(row: Row) -> None:
    kernel_trial(row, hangs=True)


def hung(row: Row, reason: str) -> None:
    if "its supervisor did not respond" not in reason:
        row.wrong.append(reason)


def kernel_trial(row: Row, hangs: bool = False) -> None:
    arguments = (PROGRAM, 2, ["worker:0", "in mid-training", "none"])
    kernel = subprocess.Popen([sys.executable, "-c", KERNEL, repr(arguments)])
    await_condition(Path("reached").exists)
    run = find(Path(PROGRAM).stem)  # without a name, the one that this process launched
    below = psutil.Process(kernel.pid).children(recursive=True)
    below += [psutil.Process(run.state.supervisor[0])]
    below += [psutil.Process(task.pid) for task in run.tasks.values()]
    if hangs:
        os.kill(run.state.supervisor[0], signal.SIGSTOP)
    killed(row, run, kernel.pid, below)
    kernel.wait()
    if hangs:
        hung(row, run.outcome.reason)


def container_trial(row: Row) -> None:
    run = training()
    container = ["unshare", "--map-root-user", "--pid", "--fork", "--mount-proc"]
    look = "from mwtutor.cli import main; main(['status'])"
    subprocess.run([*container, sys.executable, "-c", look], check=True, capture_output=True)
    if run.outcome is not None:
        row.wrong.append(f"showing its status ended the run: {run.outcome.reason}")
    run.stop()
    row.left += remains(run)


def machine_trial(row: Row, then: str) -> None:
    """Unplug a machine, and then do what ``then`` says; the run and its networks must end."""
    arguments = ["worker:0", "in mid-training", "none"]
    run = mwtutor.launch(PROGRAM, 2, arguments, machines=True)
    await_condition(Path("reached").exists)
    networks = {network_of(task.pid) for task in run.tasks.values()}
    if len(networks) != 2:
        row.wrong.append(f"two machines in {len(networks)} networks")
    run.unplug("worker:1")
    died = time.time()
    supervisor = psutil.Process(run.state.supervisor[0])
    if then == "plugged in again":
        time.sleep(random.uniform(0, 2))
        run.plug("worker:1")
        if run.outcome is not None:
            row.wrong.append(f"a short partition ended it: {run.outcome.reason}")
    elif then.endswith("task killed"):
        run.kill("worker:1" if then.startswith("its") else "worker:0")
    elif then.endswith("supervisor killed"):
        if then.startswith("guard"):
            supervisor.parent().kill()
        supervisor.kill()
    if then in ("run stopped", "plugged in again"):
        run.stop()
    run.wait(timeout=120, check=False)
    row.cleared.append(time.time() - died)
    row.left += remains(run)
    row.left += [f"{pid} in a network" for pid in psutil.pids() if network_of(pid) in networks]


def network_of(pid: int) -> str:
    try:
        return os.readlink(f"/proc/{pid}/ns/net")
    except OSError:
        return ""


def killed(row: Row, run: Run, pid: int, others: Sequence[psutil.Process]) -> None:
    died = time.time()
    os.kill(pid, signal.SIGKILL)
    await_end(row, died, others)
    run.wait(timeout=30, check=False)
    row.left += remains(run)


def await_end(row: Row, died: float, others: Sequence[psutil.Process]) -> None:
    deadline = time.time() + 10
    while any(map(alive, others)) and time.time() < deadline:
        time.sleep(0.005)
    row.cleared.append(time.time() - died)
    row.left += [str(process) for process in others if alive(process)]


def alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def remains(run: Run) -> list[str]:
    """The remains of a run one second after its end."""
    deadline = time.monotonic() + 1.0
    while (left := remains_now(run)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


def remains_now(run: Run) -> list[str]:
    state = run.state
    left = []
    for task in state.tasks.values():
        try:
            process = psutil.Process(task.pid)
            if processes.started_at(task.pid) == task.born and alive(process):
                left.append(str(process))
        except psutil.NoSuchProcess:
            pass
    left += [str(path) for path in control.paths(run.spec)]
    for address in (*state.cluster.chief, *state.cluster.worker):
        with socket.socket() as free:
            free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                free.bind(("127.0.0.1", int(address.rsplit(":", 1)[1])))
            except OSError:
                left.append(f"port of {address}")
    return left


def figures(rows: dict[str, Row]) -> dict[str, dict[str, object]]:
    return {
        name: {
            "trials": row.trials,
            "seen": spread(row.seen),
            "cleared": spread(row.cleared),
            "left": row.left,
            "wrong": row.wrong,
        }
        for name, row in sorted(rows.items())
    }


def spread(values: list[float]) -> dict[str, float]:
    if not values:
        return {}
    return {"median": round(statistics.median(values), 3), "max": round(max(values), 3)}


def table(rows: dict[str, Row]) -> str:
    """A row for each phase, with all faults together, and for each process that is not a task."""
    phases: dict[str, Row] = {}
    for name, row in sorted(rows.items()):
        whole = phases.setdefault(name.split(", ")[-1], Row())
        whole.trials += row.trials
        for both in ("seen", "cleared", "left", "wrong"):
            getattr(whole, both).extend(getattr(row, both))
    lines = [
        "| fault | trials | seen, s: median, max | cleared, s: median, max | wrong | left |",
        "|---|---|---|---|---|---|",
    ]
    for name, row in phases.items():
        seen, cleared = spread(row.seen), spread(row.cleared)
        lines.append(
            f"| {name} | {row.trials} | {words(seen)} | {words(cleared)} |"
            f" {len(row.wrong) or 'none'} | {len(row.left) or 'nothing'} |"
        )
    lines += [f"wrong: {text}" for row in rows.values() for text in row.wrong]
    lines += [f"left: {text}" for row in rows.values() for text in row.left]
    return "\n".join(lines)


def words(values: dict[str, float]) -> str:
    return f"{values['median']:.2f}, {values['max']:.2f}" if values else ""


if __name__ == "__main__":
    main()
