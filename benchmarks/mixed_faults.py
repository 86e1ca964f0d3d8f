"""Inject a thousand faults of all kinds together: machines, restarts, sessions and exercises.

    python benchmarks/mixed_faults.py [--faults 1000] [--seed 0] [--minutes 60] [--json FILE]

One process, like a notebook's kernel, does in random order what a course does. It launches programs
on simulated machines and on the host, and restarts them when a task dies; it unplugs machines,
plugs them in again and changes links; it starts sessions whose cells raise errors or kill a worker;
and it checks answers that try to escape. Each of these is a fault, and after each, the report about
it is checked. If a death ended a run, ``cleared`` is how many seconds later the last of its
processes ended. ``left`` counts processes, sockets, ports and networks of a run one second after
its end, and at the end also descriptors, network cards and files of this process.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
from faults import Row, alive, await_condition, await_end, figures, network_of, remains, table
from versions import versions

import mwtutor
from mwtutor import exercises
from mwtutor.engines.local import forkserver_client
from mwtutor.exceptions import CellFailed, SessionError
from mwtutor.run.engine import Engines
from mwtutor.run.request.options import LaunchRequest
from mwtutor.run.run import Run
from mwtutor.sessions.session import Session
from mwtutor.singletons import singleton

Rows = dict[str, Row]

#: A program that acts like a training program, and dies on request.
PROGRAM = """\
import ctypes, json, os, pathlib, signal, sys, time

task = json.loads(os.environ["TF_CONFIG"])["task"]
me = f"{task['type']}:{task['index']}-{os.environ['MWTUTOR_ATTEMPT']}"
pathlib.Path(f"up-{me}").touch()
while not (order := pathlib.Path(f"die-{me}")).exists():
    time.sleep(0.02)
fault = order.read_text()
if fault == "exit code":
    sys.exit(3)
if fault == "exception":
    raise ValueError("no such luck")
if fault == "os._exit":
    os._exit(4)
if fault == "segmentation fault":
    ctypes.string_at(0)
"""

#: How a task can die, and the expected report.
DEATHS = {
    "exit code": "exited with code 3",
    "exception": "raised ValueError: no such luck (main.py, line ",
    "os._exit": "exited with code 4",
    "SIGKILL": "was killed by signal 9 (SIGKILL)",
    "SIGABRT": "was killed by signal 6 (SIGABRT)",
    "segmentation fault": "was killed by signal 11 (SIGSEGV)",
}

#: What a cell can do on one worker, and words of the expected report.
CELLS = {
    "an exception": ("raise OSError('mine')", "OSError on worker:1"),
    "sys.exit": ("import sys; sys.exit(5)", "SystemExit on worker:1"),
    "a name that is not defined": ("nowhere", "NameError on worker:1"),
    "a syntax error": ("exec('1 +')", "SyntaxError on worker:1"),
}

#: How a cell can kill its worker.
DEADLY = {
    "SIGKILL": ("import os; os.kill(os.getpid(), 9)", "worker:1 was killed by signal 9"),
    "os._exit": ("import os; os._exit(4)", "worker:1 exited with code 4"),
    "segmentation fault": (
        "import ctypes; ctypes.string_at(0)",
        "worker:1 was killed by signal 11",
    ),
}

#: How an answer can attack its checker, and words of the verdict.
ANSWERS = {
    "an exception": ("raise OSError('mine')", "Your code raised OSError: mine"),
    "sys.exit": ("import sys; sys.exit(0)", "Your code raised SystemExit: 0"),
    "os._exit": ("import os; os._exit(0)", "did not finish"),
    "SIGKILL": ("import os; os.kill(os.getpid(), 9)", "did not finish"),
    "segmentation fault": ("import ctypes; ctypes.string_at(0)", "did not finish"),
    "its watcher killed": ("import os; os.kill(os.getppid(), 9)", "did not finish"),
    "an endless loop": ("while True: pass", "stopped at its time limit of 1 s"),
    "a deep recursion": ("answer()", "Your code raised RecursionError"),
    "every descriptor closed": ("import os; os.closerange(0, 4096)", "did not finish"),
    "processes that stay": (
        "import subprocess; subprocess.Popen(['sleep', '611'], start_new_session=True);"
        " raise OSError('mine')", "Your code raised OSError: mine",
    ),
    "forks that stay": (
        "import os, time\n    if os.fork() == 0:\n        os.setsid()\n        time.sleep(612)"
        "\n    raise OSError('mine')", "Your code raised OSError: mine",
    ),
}  # fmt: skip

EXERCISE = """\
from mwtutor.exercises import Exercise, Verdict, right, wrong

def check(work):
    found = work.value("answer")()
    return right("Yes.") if found == 42 else wrong(f"It returns {found}.")

EXERCISES = (Exercise("mine-1", "a title", "a task", "answer = None", check, ("a hint",),
                      "def answer(): return 42", "because", (), seconds=1.0),)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--faults", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=60.0, help="no new trial after this time")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    json_file = options.json and options.json.absolute()
    rows: Rows = defaultdict(Row)
    began = time.monotonic()
    with own_place():
        chance = random.Random(options.seed)
        prepare()
        kinds = [restarted, on_machines, ended_on_machines, in_a_session, checked]
        for kind in kinds:  # the first trials import and cache everything that stays
            kind(rows, chance)
        before = mine()
        while total(rows) < options.faults and time.monotonic() - began < options.minutes * 60:
            chance.choices(kinds, (2, 2, 3, 1, 6))[0](rows, chance)
            print(f"\r{total(rows)} faults, {time.monotonic() - began:.0f} s", end="", flush=True)
        end = rows["this process at the end"]
        end.left += sorted(mine() - before)
        singleton(Engines).close()
        await_end(end, time.time(), psutil.Process().children(recursive=True))
    minutes = (time.monotonic() - began) / 60
    print(f"\n{table(rows)}\n{total(rows)} faults in {minutes:.0f} minutes")
    if json_file:
        found = {"versions": versions(), "faults": total(rows), "minutes": round(minutes, 1),
                 "rows": figures(rows)}  # fmt: skip
        json_file.write_text(json.dumps(found, indent=1) + "\n")
    sys.exit(any(row.left or row.wrong for row in rows.values()))


def total(rows: Rows) -> int:
    return sum(row.trials for row in rows.values())


class own_place:
    """A directory for everything that is written: whatever is left there was left by mwtutor."""

    def __enter__(self) -> None:
        self._path = tempfile.mkdtemp(prefix="mw")
        for name, variable in (("t", "TMPDIR"), ("r", "XDG_RUNTIME_DIR")):
            os.mkdir(f"{self._path}/{name}", 0o700)
            os.environ[variable] = f"{self._path}/{name}"
        tempfile.tempdir = None
        os.chdir(self._path)

    def __exit__(self, *error: object) -> None:
        os.chdir("/")
        shutil.rmtree(self._path)


def prepare() -> None:
    Path("main.py").write_text(PROGRAM)
    Path("mine.py").write_text(EXERCISE)
    exercises.load("mine.py")
    forkserver_client.server()


def mine() -> set[str]:
    """The resources of this process that could accumulate."""
    descriptors = {f"descriptor {fd}" for fd in os.listdir("/proc/self/fd")}
    children = {
        str(one) for one in psutil.Process().children(recursive=True) if alive(one)
    }  # including the fork server
    files = {str(one) for name in "tr" for one in Path(name).rglob("*")}
    return descriptors | children | files | {f"card {name}" for name in psutil.net_if_addrs()}


# -- programs ---------------------------------------------------------------------------------


def launched(restarts: int, **where: object) -> tuple[Run, Path]:
    place = Path(tempfile.mkdtemp(prefix="run-", dir=".")).absolute()
    run = mwtutor.launch(
        str(Path("main.py").absolute()), 2, cwd=str(place), restarts=restarts, **where
    )
    return run, place


def dies(run: Run, place: Path, victim: str, death: str, attempt: int) -> float:
    """Let a task die, and return the time."""
    began = time.time()
    if death.startswith("SIG"):
        run.kill(victim, signal.Signals[death])
    else:
        order = place / f"part-{victim}"
        order.write_text(death)
        order.rename(place / f"die-{victim}-{attempt}")
    return began


def restarted(rows: Rows, chance: random.Random) -> None:
    three_deaths(rows, chance, "", network="host")


def on_machines(rows: Rows, chance: random.Random) -> None:
    three_deaths(rows, chance, " on a machine", machines=True)


def three_deaths(rows: Rows, chance: random.Random, where: str, **options: object) -> None:
    """Let tasks die three times: the run restarts after two deaths, and the third ends it."""
    run, place = launched(2, **options)
    networks = {""}
    for attempt in (1, 2, 3):
        row = rows[f"a task{where}: {'restarted' if attempt < 3 else 'the end'}"]
        victim, death = chance.choice(("worker:0", "worker:1")), chance.choice(list(DEATHS))
        await_condition(lambda n=attempt: len(list(place.glob(f"up-*-{n}"))) == 2)
        networks |= {network_of(task.pid) for task in run.tasks.values()}
        row.trials += 1
        died = dies(run, place, victim, death, attempt)
        if attempt < 3:
            await_condition(lambda n=attempt: len(run.attempts) > n)
        else:
            run.wait(timeout=120, check=False)
            row.cleared.append(max(task.ended for task in run.tasks.values()) - died)
        reason = run.attempts[attempt - 1].reason or run.outcome.reason
        if f"{victim} {DEATHS[death]}" not in reason:
            row.wrong.append(f"{victim}, {death}: {reason}")
    gone(row, run, networks if "machines" in options else set())


def gone(row: Row, run: Run, networks: set[str]) -> None:
    gone_session(row, run, networks)
    if not row.left:
        shutil.rmtree(run.spec.request.cwd)


def ended_on_machines(rows: Rows, chance: random.Random) -> None:
    """Change cables and links; then kill a process above the tasks, or stop the run."""
    run, place = launched(0, machines=True)
    await_condition(lambda: len(list(place.glob("up-*"))) == 2)
    networks = {network_of(task.pid) for task in run.tasks.values()}
    below = psutil.Process(run.state.supervisor[0])
    everybody = [below, below.parent(), *below.children(recursive=True)]
    victim = chance.choice(("worker:0", "worker:1"))
    for name, change in cables(run, victim, chance):
        rows[name].trials += 1
        if not change():
            rows[name].wrong.append(str(run.state.machines))
    end = chance.choice(("supervisor killed", "guard and supervisor killed", "run stopped",
                         "supervisor halted and run stopped"))  # fmt: skip
    row = rows[f"machines: {end}"]
    row.trials += 1
    began = time.time()
    if end.startswith("guard"):
        below.parent().kill()
    if end.endswith("supervisor killed"):
        below.kill()
    else:
        if end.startswith("supervisor"):
            below.suspend()
        run.stop()
    outcome = run.wait(timeout=30, check=False)
    await_end(row, began, everybody)
    if outcome.ok or outcome.culprit is not None:
        row.wrong.append(f"{end}: {outcome}")
    gone(row, run, networks)


def cables(
    run: Run, victim: str, chance: random.Random
) -> Iterator[tuple[str, Callable[[], bool]]]:
    task = run.task(victim)

    def unplugged() -> bool:
        run.unplug(victim)
        return bool(run.state.machine_of(task).unplugged)

    def plugged() -> bool:
        run.plug(victim)
        return not run.state.machine_of(task).unplugged and run.outcome is None

    def linked() -> bool:
        run.link(victim, "100mbit")
        return run.state.machine_of(task).link == "100mbit"

    yield "a link changed", linked
    yield "a cable pulled", unplugged
    if chance.random() < 0.7:  # otherwise the machine stays unplugged
        yield "a cable plugged in", plugged


# -- cells and answers ------------------------------------------------------------------------


def in_a_session(rows: Rows, chance: random.Random) -> None:
    """Run cells that raise errors and leave the session as before, then one that kills a worker."""
    machines = chance.random() < 0.5
    session = Session.start(LaunchRequest("", 2, machines=machines, network="auto"))
    run = session.run
    below = psutil.Process(run.state.supervisor[0])
    everybody = [below, below.parent(), *below.children(recursive=True)]
    networks = {network_of(task.pid) for task in run.tasks.values()} if machines else set()
    for number, fault in enumerate(chance.choices(list(CELLS), k=10)):
        row = rows["a cell raises"]
        row.trials += 1
        code, words = CELLS[fault]
        said = problem(session, code)
        if words not in said:
            row.wrong.append(f"{fault}: {said}")
        session.execute(f"kept = {number}").check()
        if session.pull(["kept"])["kept"] != {"worker:0": number, "worker:1": number}:
            row.wrong.append(f"{fault}: the session has changed")
    row = rows[f"a worker dies in a cell{' on a machine' if machines else ''}"]
    row.trials += 1
    death = chance.choice(list(DEADLY))
    code, words = DEADLY[death]
    began = time.time()
    said = problem(session, code)
    run.wait(timeout=60, check=False)
    await_end(row, began, everybody)
    if words not in said:
        row.wrong.append(f"{death}: {said}")
    session.stop()
    gone_session(row, run, networks)


def gone_session(row: Row, run: Run, networks: set[str]) -> None:
    row.left += remains(run)
    networks -= {"", network_of(os.getpid())}
    row.left += [f"{pid} in a network" for pid in psutil.pids() if network_of(pid) in networks]


def problem(session: Session, code: str) -> str:
    """The report about a cell that does this on one worker."""
    try:
        session.execute(f"if task_index == 1:\n    {code}").check()
    except (CellFailed, SessionError) as error:
        return str(error).replace("\n", " ")
    return "nothing"


def checked(rows: Rows, chance: random.Random) -> None:
    """Judge an answer that tries to escape; then a right one, which must be judged right."""
    fault = chance.choice(list(ANSWERS))
    row = rows["an answer"]
    row.trials += 1
    code, words = ANSWERS[fault]
    before = strays()
    verdict = judged(f"def answer():\n    {code}")
    if verdict.status == "right" or words not in verdict.words:
        row.wrong.append(f"{fault}: {verdict}")
    deadline = time.monotonic() + 1.0
    while (left := strays() - before) and time.monotonic() < deadline:
        time.sleep(0.02)
    row.left += [f"{fault}: process {pid}" for pid in left]
    if judged("def answer(): return 42").status != "right":
        row.wrong.append(f"{fault}: then a right answer was not right")


def judged(source: str) -> exercises.Verdict:
    names: dict[str, object] = {}
    exec(source, names)
    return exercises.check("mine-1", names, Path.cwd()).verdict


def strays() -> set[int]:
    return {one.pid for one in psutil.process_iter() if is_stray(one)}


def is_stray(process: psutil.Process) -> bool:
    """Whether the process was forked from this one, or is one that an answer starts."""
    try:
        command = process.cmdline()
        return process.pid != os.getpid() and (
            command == ["sleep", "611"] or command == psutil.Process().cmdline()
        )
    except psutil.NoSuchProcess:
        return False


if __name__ == "__main__":
    main()
