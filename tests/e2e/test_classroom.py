"""A shared machine with real accounts: launches that wait or are refused, and access by others."""

from __future__ import annotations

import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from mwtutor.system.classroom import CLAIMS, Shares
from tests.support.machines.accounts import Account, accounts
from tests.support.waiting import until

pytestmark = [pytest.mark.e2e, pytest.mark.full]

FOREVER = "import time; print('it runs', flush=True); time.sleep(600)"
#: Seconds that anything may take on a busy machine.
PATIENCE = 240.0

LAUNCH = ("launch", "--cold", "--network", "host")

#: Tries to connect to the other users' sockets and claims, and prints what was possible.
INTRUDER = """
import glob, os, socket, sys
done = []
def attempt(what, *given):
    try:
        what(*given)
        done.append(f"{what.__name__} {given}")
    except PermissionError:
        pass
home, pids = sys.argv[1], [int(pid) for pid in sys.argv[2:]]
for claim in glob.glob("/CLAIMS/[0-9]*"):
    if os.stat(claim).st_uid != os.getuid():
        attempt(os.unlink, claim)
        attempt(os.rename, claim, claim + "x")
        attempt(os.link, claim, f"/CLAIMS/9.{os.getpid()}")
for pid in pids:
    attempt(os.kill, pid, 9)
attempt(os.listdir, home + "/.mwtutor")
attempt(os.listdir, home)
for sockets in glob.glob("/tmp/mwtutor-*") + glob.glob("/run/user/*/mwtutor"):
    if os.stat(sockets).st_uid != os.getuid():
        attempt(os.listdir, sockets)
print("looked at", len(pids), done)
""".replace("CLAIMS", CLAIMS)

#: Makes more claims than one person may, and keeps them open.
GREEDY = """
import os, socket, time
os.chdir("/CLAIMS")
os.umask(0)
held = []
for number in range(50):
    held.append(socket.socket(socket.AF_UNIX))
    held[-1].bind(f"999.{number}")
    held[-1].listen(1)
print("it runs", flush=True)
time.sleep(600)
""".replace("CLAIMS", CLAIMS)


class Launch:
    """A launch in a terminal, and all of its output."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.printed = ""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout or ():
            self.printed += line

    def says(self, words: str) -> None:
        until(
            lambda: words in self.printed, PATIENCE, lambda: f"{words!r} is not in {self.printed!r}"
        )

    def end(self, number: int) -> None:
        self.process.send_signal(number)
        self.process.wait(PATIENCE)


@pytest.fixture
def people() -> Iterator[list[Account]]:
    with accounts(3, Shares(tasks=4, per_person=2)) as made:
        for person in made:
            Path(person.home, "main.py").write_text(FOREVER)
            person.home.chmod(0o700)
        yield made


def launch(person: Account, tasks: int, name: str = "main") -> Launch:
    return Launch(person.mwtutor(*LAUNCH, str(tasks), "main.py", "--name", name))


def test_a_full_machine_has_a_queue_and_people_cannot_reach_each_other(people):
    ada, ben, eve = people
    first, second = launch(ada, 2), launch(ben, 2)
    first.says("it runs")
    second.says("it runs")

    refused = launch(ada, 1, "more")
    refused.says("each person may run 2 at a time, and you already run or wait for 2")
    assert refused.process.wait(PATIENCE) == 2

    waiting = launch(eve, 1, "waiting")
    waiting.says("Waiting because this shared machine is full; no launch is ahead of this one.")
    next_one = launch(eve, 1, "next")
    next_one.says("1 launch is ahead of this one.")
    assert "waiting" in eve.mwtutor("runs").communicate(timeout=PATIENCE)[0]
    waiting.end(signal.SIGINT)  # Ctrl-C leaves the queue
    assert eve.mwtutor("runs").communicate(timeout=PATIENCE)[0].count("waiting") == 0
    next_one.says("no launch is ahead of this one (about 1 min more at the current pace).")
    last = launch(eve, 1, "last")
    last.says("1 launch is ahead of this one.")
    next_one.end(signal.SIGKILL)  # a killed process leaves the queue, too
    last.says("no launch is ahead of this one (about")

    shown = eve.mwtutor("classroom").communicate(timeout=PATIENCE)[0]
    assert "4 of 4 tasks are running, 0 of them yours; people: 2; waiting launches: 1" in shown
    pids = [str(one.pid) for one in ada.processes()]
    arguments = f"import sys; sys.argv[1:] = {[str(ada.home), *pids]!r}\n"
    assert eve.python(arguments + INTRUDER) == f"looked at {len(pids)} []\n"

    assert "it runs" not in last.printed
    first.end(signal.SIGINT)
    last.says("it runs")
    for one in (second, last):
        one.end(signal.SIGINT)
    until(lambda: not any(person.processes() for person in people), PATIENCE)


def test_who_runs_something_comes_before_those_who_do_not(people):
    ada, ben, eve = people
    first, second = launch(ada, 2), launch(ben, 1)
    first.says("it runs")
    second.says("it runs")
    waiting = launch(eve, 2)
    waiting.says("full; no launch is ahead of this one.")
    more = launch(ben, 1, "more")
    more.says("it runs")
    assert "it runs" not in waiting.printed
    for one in (second, more):
        one.end(signal.SIGINT)
    waiting.says("it runs")


def test_who_claims_too_much_takes_only_one_share(people):
    ada, ben, eve = people
    greedy = Launch(eve.start("python3", "-c", GREEDY))
    greedy.says("it runs")
    first = launch(ada, 2)
    first.says("it runs")
    second = launch(ben, 1)
    second.says("full; ")
    greedy.end(signal.SIGKILL)
    second.says("it runs")
