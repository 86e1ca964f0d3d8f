"""Claims of a shared machine. ``tests/e2e/test_classroom.py`` makes them with real accounts."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mwtutor.cli import main
from mwtutor.commands import authors
from mwtutor.exceptions import BadInput
from mwtutor.system import classroom
from mwtutor.system.classroom import Claim, Shares
from tests.support.waiting import until

FOUR = Shares(tasks=4, per_person=2, idle=30)


@pytest.fixture
def root() -> Iterator[Path]:
    """A root outside pytest's directory, whose path is too long for a socket."""
    path = Path(tempfile.mkdtemp(dir="/tmp"))
    yield path
    shutil.rmtree(path)


@pytest.fixture
def shared(root, monkeypatch) -> Path:
    classroom.set_up(FOUR, root)
    monkeypatch.setattr(classroom, "_LEAVING", 0.0)
    return root


def test_limits_are_read_as_they_were_written(root):
    assert classroom.shares(root) is None
    classroom.set_up(FOUR, root)
    assert classroom.shares(root) == FOUR
    assert (root / classroom.CLAIMS).stat().st_mode & 0o7777 == 0o1777
    classroom.set_up(Shares(9, 3), root)
    assert classroom.shares(root) == Shares(9, 3)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "section"),
        ("tasks = 4", "section"),
        ("[classroom]\ntasks = 4", "needs tasks and per_person"),
        ("[classroom]\ntasks = four\nper_person = 2", "needs tasks and per_person"),
        ("[classroom]\ntasks = 4\nper_person = 2\nidel = 3", "needs tasks and per_person"),
        ("[classroom]\ntasks = 4\nper_person = 5", "5 tasks for each person"),
        ("[classroom]\ntasks = 4\nper_person = 0", "0 tasks for each person"),
        ("\0\xff", "classroom.ini"),
    ],
)
def test_limits_that_cannot_be_understood_are_refused(root, text, why):
    file = root / classroom.FILE
    file.parent.mkdir(parents=True)
    file.write_text(text)
    with pytest.raises(BadInput, match=why) as refused:
        classroom.shares(root)
    assert "classroom.ini" in refused.value.problem
    assert "administrator" in refused.value.remedy


RUNS, WAITS = True, False


def a_queue(*wanted: tuple[int, int, bool]) -> list[Claim]:
    """Claims, the oldest first: the person, the number of tasks, and whether they run."""
    return [
        Claim((at, f"{tasks}.x"), tasks, person, runs)
        for at, (person, tasks, runs) in enumerate(wanted)
    ]


@pytest.mark.parametrize(
    ("wanted", "late"),
    [
        ([(1, 2, WAITS), (2, 2, WAITS)], []),
        ([(1, 2, RUNS), (2, 1, RUNS), (3, 2, WAITS)], [2]),
        ([(1, 2, RUNS), (2, 1, RUNS), (3, 2, WAITS), (4, 1, WAITS)], [2, 3]),  # nobody overtakes
        ([(1, 10**9, RUNS), (2, 2, WAITS)], []),  # one person's claims count at most 2
        ([(1, 1, RUNS)] * 50 + [(2, 2, WAITS)], []),
        ([(1, 2, RUNS), (2, 2, RUNS), (1, 1, WAITS), (3, 1, WAITS)], [3]),
        # Two people run 1 task each; with a third one, nobody could get a second task.
        ([(1, 1, RUNS), (2, 1, RUNS), (3, 1, WAITS)], []),
        ([(1, 1, RUNS), (2, 1, RUNS), (3, 1, RUNS), (4, 1, WAITS)], [3]),
        # A person who already runs something comes first, however late.
        ([(1, 2, RUNS), (2, 1, RUNS), (3, 2, WAITS), (2, 1, WAITS)], [2]),
    ],
)
def test_who_waits(wanted, late):
    queue = a_queue(*wanted)
    assert classroom.waits(queue, FOUR) == [queue[at] for at in late]


def test_nobody_new_starts_while_somebody_who_runs_something_waits():
    queue = a_queue((1, 3, RUNS), (2, 1, RUNS), (3, 1, WAITS))
    assert classroom.waits(queue, Shares(8, 6)) == []
    queue += [Claim((9, "3.x"), 3, 2)]
    assert classroom.waits(queue, Shares(8, 6)) == [queue[3], queue[2]]


def test_people_with_sessions_do_not_wait_for_each_other_forever():
    """Each person needs a session, and then a second launch next to it."""
    generator = random.Random(0)
    for _ in range(300):
        share = generator.randint(2, 6)
        limits = Shares(generator.randint(share, 3 * share), share)
        first = {person: generator.randint(1, share - 1) for person in range(10)}
        second = {person: generator.randint(1, share - first[person]) for person in first}
        queue = a_queue(*((person, tasks, WAITS) for person, tasks in first.items()))
        finished: set[int] = set()
        while len(finished) < len(first):
            late = classroom.waits(queue, limits)
            starting = [claim for claim in queue if not claim.runs and claim not in late]
            queue = [replace(claim, runs=claim.runs or claim in starting) for claim in queue]
            assert sum(claim.tasks for claim in queue if claim.runs) <= limits.tasks
            for claim in starting:
                mine = [one for one in queue if one.person == claim.person]
                if len(mine) == 1:
                    since = (len(queue) + claim.person, "second")
                    queue.append(Claim(since, second[claim.person], claim.person))
                else:
                    queue = [one for one in queue if one not in mine]
                    finished.add(claim.person)
            assert starting, (limits, queue)


def test_without_limits_there_is_nothing_to_claim(root):
    with classroom.place(99, root=root) as claim:
        assert claim == []


def test_a_claim_lasts_as_long_as_a_process_has_it_open(shared):
    with classroom.place(2, root=shared) as claim:
        (known,) = classroom.claims(shared)
        assert (known.tasks, known.person) == (2, os.getuid())
        holder = subprocess.Popen(
            [sys.executable, "-c", "print(1, flush=True); input()"],
            pass_fds=claim, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert holder.stdout
        assert holder.stdout.readline()
    assert classroom.claims(shared) == [known]
    assert classroom.usage(FOUR, shared).startswith("2 of 4 tasks are running, 2 of them yours")
    with (
        pytest.raises(BadInput, match="at a time, and you already run or wait for 2") as refused,
        classroom.place(1, root=shared),
    ):
        pass
    assert refused.value.remedy.startswith("Stop a run first")
    holder.kill()
    holder.communicate()
    assert classroom.claims(shared) == []
    assert os.listdir(shared / classroom.CLAIMS) == []  # its owner removed what was left


OTHER = """import os, socket, sys
os.setuid(65534)
with socket.socket(socket.AF_UNIX) as claim:
    claim.bind(sys.argv[1])
    os.chmod(sys.argv[1], int(sys.argv[2]))
    claim.listen()
    print("open", input(), flush=True)
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another person")
def test_a_clock_that_was_set_back_puts_nobody_behind_those_who_come_later(shared, monkeypatch):
    shared.chmod(0o755)
    classroom.set_up(Shares(2, 2), shared)
    path = shared / classroom.CLAIMS / f"2.{'0' * 16}"
    other = subprocess.Popen(
        [sys.executable, "-c", OTHER, os.fspath(path), str(classroom._RUNS)],
        stdin=subprocess.PIPE,
    )
    until(lambda: classroom.claims(shared), otherwise="the other person never ran anything")

    def mine() -> Claim | None:
        return next((one for one in classroom.claims(shared) if not one.runs), None)

    entered = threading.Event()

    def launch() -> None:
        with classroom.place(1, root=shared):
            entered.set()

    waits = threading.Thread(target=launch)
    waits.start()
    before = until(mine, otherwise="it never waited")
    hour = 3600 * 10**9
    now = time.time_ns
    monkeypatch.setattr(classroom.time, "time_ns", lambda: now() - hour)
    until(lambda: (known := mine()) and known.since > before.since, otherwise="it kept its date")
    other.communicate(b"\n")
    waits.join(timeout=60)
    assert entered.is_set()


def test_a_launch_that_fails_leaves_no_claim(shared):
    with pytest.raises(KeyboardInterrupt), classroom.place(1, root=shared):
        raise KeyboardInterrupt
    assert os.listdir(shared / classroom.CLAIMS) == []


def test_what_can_never_start_is_refused_at_once(shared):
    with (
        pytest.raises(BadInput, match="3 tasks are too many") as refused,
        classroom.place(3, root=shared),
    ):
        pass
    assert refused.value.remedy == "Ask for at most 2."


def test_a_machine_without_the_directory(shared):
    (shared / classroom.CLAIMS).rmdir()
    with (
        pytest.raises(BadInput, match="cannot be used") as refused,
        classroom.place(1, root=shared),
    ):
        pass
    assert "administrator" in refused.value.remedy


def test_files_that_are_no_claims_count_nothing(shared):
    folder = shared / classroom.CLAIMS
    (folder / "2.file").write_text("")
    (folder / "2.link").symlink_to("/dev/null")
    os.mkfifo(folder / "2.pipe")
    assert classroom.claims(shared) == []


def test_the_command_sets_and_shows_the_limits(root, monkeypatch, capsys):
    for name in ("shares", "usage", "set_up"):
        whole = getattr(classroom, name)
        monkeypatch.setattr(
            authors.classroom, name, lambda *given, whole=whole: whole(*given, root)
        )
    assert main(["classroom"]) == 0
    assert "no limits" in capsys.readouterr().out
    assert main(["classroom", "--tasks", "24", "--per-person", "4", "--idle", "30"]) == 0
    shown = capsys.readouterr().out
    assert (
        "at most 24 tasks at a time, 4 for each person; a session is stopped after 30 min" in shown
    )
    assert "0 of 24 tasks are running" in shown
    assert main(["classroom", "--tasks", "2"]) == 2
    assert "10 tasks for each person" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--idle", "30"], ["--per-person", "4"], ["--idle", "0"]])
def test_limits_without_the_tasks_are_refused(words, capsys):
    assert main(["classroom", *words]) == 2
    refused = capsys.readouterr().err
    assert "--tasks is missing" in refused
    assert "Add --tasks N" in refused


def test_no_tasks_at_all_are_refused(capsys):
    assert main(["classroom", "--tasks", "0"]) == 2
    assert "if the machine allows 0" in capsys.readouterr().err
