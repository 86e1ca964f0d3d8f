"""A machine that several people share: who may run how many tasks, and who is next.

The administrator sets the limits with ``mwtutor classroom``. Each launch makes a claim: a Unix
socket that listens in a directory where everybody may create files, but only their owner may
remove them. The kernel says who made a claim, when, and whether a process still has it open. So
nobody can make or end a claim in another person's name, and a claim ends with the last process of
its run, whatever killed it.

Older claims come first, but people who already run something come before those who do not, because
their sessions occupy the machine until they have finished. A launch starts only if at least one
person can still get a whole share afterward. Otherwise each of several people could have a session
and wait for the others' sessions to end. The mode of a claim's socket shows whether the claim runs.

Each person's claims count only up to the limit for one person, so a claim that never ends takes
nothing from others.
"""

from __future__ import annotations

import configparser
import contextlib
import os
import secrets
import socket
import stat
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mwtutor.exceptions import BadInput
from mwtutor.notices import notice, waiting
from mwtutor.sanitize import whole_number
from mwtutor.system.files import write_whole
from mwtutor.system.linux import ROOT

#: The file of the limits, and the directory of the claims.
FILE, CLAIMS = "etc/mwtutor/classroom.ini", "var/lib/mwtutor/classroom"

#: The mode of a claim that waits, and of one that runs. Anyone who may connect to the socket can
#: see that a process has it open.
_WAITS, _RUNS = 0o666, 0o777

#: Seconds between two checks of the queue, seconds in which the clock of file times advances, and
#: seconds within which a run that has ended releases its claim.
_PAUSE, _TICK, _LEAVING = 0.5, 0.02, 3.0

_ASK = "Ask the administrator of this machine to run mwtutor classroom."


@dataclass(frozen=True)
class Shares:
    """The limits on a shared machine.

    Attributes:
        tasks: the number of tasks that may run on the machine at the same time.
        per_person: the number of tasks that one person may run.
        idle: minutes without a cell after which a session is stopped; 0 means never.
    """

    tasks: int
    per_person: int
    idle: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.per_person <= self.tasks:
            raise BadInput(
                f"{self.per_person} tasks for each person are not possible if the machine allows"
                f" {self.tasks}.",
                "Allow each person at least 1 task, and at most as many as the machine allows.",
            )

    def check(self, tasks: int) -> None:
        """Raise :class:`BadInput` if a launch of that many tasks could never start."""
        if tasks > self.per_person:
            raise BadInput(
                f"{tasks} tasks are too many on this shared machine: each person may run"
                f" {self.per_person} at a time.",
                f"Ask for at most {self.per_person}.",
            )

    def __str__(self) -> str:
        idle = f"; a session is stopped after {self.idle} min without a cell" if self.idle else ""
        return f"at most {self.tasks} tasks at a time, {self.per_person} for each person{idle}"

    def text(self) -> str:
        """The content of the file."""
        return (
            "# Written by: mwtutor classroom\n[classroom]\n"
            f"tasks = {self.tasks}\nper_person = {self.per_person}\nidle = {self.idle}\n"
        )


@dataclass(frozen=True)
class Claim:
    """The tasks that one launch runs, or waits to run.

    Attributes:
        since: when it was made, or began to run, in nanoseconds since the epoch; ties are ordered
            by its name.
        tasks: the number of tasks.
        person: the user id of its owner.
        runs: whether it has started.
    """

    since: tuple[int, str]
    tasks: int
    person: int
    runs: bool = False


def shares(root: Path = ROOT) -> Shares | None:
    """The limits of this machine; None if there are none.

    Raises:
        BadInput: the file of the limits cannot be understood.
    """
    parser = configparser.ConfigParser(interpolation=None)
    file = root / FILE
    try:
        parser.read_string(file.read_text())
        numbers = {key: whole_number(text) for key, text in parser["classroom"].items()}
        return Shares(**numbers)  # type: ignore[arg-type]
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, KeyError, TypeError, configparser.Error, BadInput) as error:
        raise BadInput(f"{file} cannot be used: {_first_line(error)}.", _ASK) from None


def set_up(limits: Shares, root: Path = ROOT) -> None:
    """Write the limits, and make the directory of the claims.

    Raises:
        OSError: this user is not allowed to do that.
    """
    folder = root / CLAIMS
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o1777)
    file = root / FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, limits.text().encode(), 0o644)


def claims(root: Path = ROOT) -> list[Claim]:
    """The claims that a process has open, oldest first."""
    found: dict[int, Claim] = {}
    with contextlib.suppress(OSError):
        for entry in os.scandir(root / CLAIMS):
            with contextlib.suppress(OSError):
                if claim := _claim(entry):
                    found[entry.inode()] = claim
    return sorted(found.values(), key=lambda claim: claim.since)


def _claim(entry: os.DirEntry[str]) -> Claim | None:
    tasks = whole_number(entry.name.partition(".")[0])
    seen = entry.stat(follow_symlinks=False)
    if not tasks or not stat.S_ISSOCK(seen.st_mode):
        return None
    if not _is_open(entry.path):
        if seen.st_uid == os.getuid():
            os.unlink(entry.path)
        return None
    runs = stat.S_IMODE(seen.st_mode) == _RUNS
    return Claim((seen.st_ctime_ns, entry.name), tasks, seen.st_uid, runs)


def _is_open(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)
        try:
            probe.connect(path)
        except BlockingIOError:  # a process has the claim open, and does not answer
            return True
        except OSError:
            return False
    return True


def waits(known: Sequence[Claim], limits: Shares) -> list[Claim]:
    """Of the claims (oldest first), those that cannot start yet, in the queue's order."""
    of: Counter[int] = Counter()
    for claim in known:
        of = _with(claim, of, limits) if claim.runs else of
    people, late = set(of), list[Claim]()
    waiting = [claim for claim in known if not claim.runs]
    for claim in sorted(waiting, key=lambda claim: claim.person not in people):
        then = _with(claim, of, limits)
        overtakes = bool(late) and claim.person not in people
        # The person with the most tasks must still be able to get a whole share, which then becomes
        # free for others.
        if overtakes or then.total() - max(then.values()) + limits.per_person > limits.tasks:
            late.append(claim)
        else:
            of = then
    return late


def _with(claim: Claim, of: Counter[int], limits: Shares) -> Counter[int]:
    most = min(of[claim.person] + claim.tasks, limits.per_person)
    return Counter({**of, claim.person: most})


def usage(limits: Shares, root: Path = ROOT) -> str:
    """What is running and waiting now, as the end of a sentence."""
    known = claims(root)
    on = [claim for claim in known if claim.runs]
    ours = sum(claim.tasks for claim in on if claim.person == os.getuid())
    running, people = sum(claim.tasks for claim in on), len({claim.person for claim in on})
    return (
        f"{running} of {limits.tasks} tasks are running, {ours} of them yours; people: {people};"
        f" waiting launches: {len(known) - len(on)}"
    )


@contextlib.contextmanager
def place(tasks: int, session: bool = False, root: Path = ROOT) -> Iterator[list[int]]:
    """Wait for a place for this many tasks, and tell the user about the wait.

    Args:
        tasks: the number of tasks.
        session: whether they execute cells.

    Yields:
        A list with a descriptor for the run's processes, whose place is taken as long as one of
        them has it open; an empty list if this machine has no limits.

    Raises:
        BadInput: this person runs too many tasks already, or cannot make a claim.
    """
    if (limits := shares(root)) is None:
        yield []
        return
    limits.check(tasks)
    with _claimed(tasks, root / CLAIMS) as (file, name):
        _wait(tasks, name, limits, root)
        with contextlib.suppress(OSError):  # the administrator has removed the directory
            (root / CLAIMS / name).chmod(_RUNS)
        if session and limits.idle:
            idle = limits.idle
            notice(f"This shared machine stops a session after {idle} min with no cell running.")
        yield [file.fileno()]


@contextlib.contextmanager
def _claimed(tasks: int, folder: Path) -> Iterator[tuple[socket.socket, str]]:
    """A new claim; if the body fails, nothing is left of it."""
    name = f"{tasks}.{secrets.token_hex(8)}"
    path, unready = folder / name, folder / f".{name}"
    with socket.socket(socket.AF_UNIX) as file:
        try:
            file.bind(os.fspath(unready))
            unready.chmod(_WAITS)
            file.listen(1)
            unready.rename(path)  # others see the claim only now that it is open
            made = path.lstat().st_ctime_ns / 1e9
        except OSError as error:
            raise BadInput(f"{folder} cannot be used: {error.strerror}.", _ASK) from None
        try:
            while made <= time.time() < made + _TICK:  # wait until older claims of this tick appear
                time.sleep(_TICK / 4)
            yield file, name
        except BaseException:
            with contextlib.suppress(OSError):
                path.unlink()
            raise


def _wait(tasks: int, name: str, limits: Shares, root: Path) -> None:
    """Wait until a claim fits."""
    begun, first, before = time.monotonic(), 0, -1
    while True:
        known = claims(root)
        since = next((claim.since for claim in known if claim.since[1] == name), (0, name))
        if since[0] > time.time_ns():  # the clock was set back: every new claim would be older
            os.utime(root / CLAIMS / name)
        others = [claim for claim in known if claim.runs or claim.since < since]
        running = sum(claim.tasks for claim in others if claim.person == os.getuid())
        late = [claim.since[1] for claim in waits(known, limits)]
        if running + tasks > limits.per_person:
            if time.monotonic() - begun > _LEAVING:
                raise _too_many(tasks, running, limits.per_person)
        elif name not in late:
            return
        else:
            ahead = late.index(name)
            first = max(first, ahead)
            pace = _pace(first - ahead, time.monotonic() - begun, ahead)
            words = f"aiting because this shared machine is full; {_launches(ahead)}{pace}"
            if not waiting(f"w{words}") and ahead != before:
                notice(f"W{words}.")
            before = ahead
        time.sleep(_PAUSE)


def _launches(count: int) -> str:
    many = {0: "no launch is", 1: "1 launch is"}.get(count, f"{count} launches are")
    return f"{many} ahead of this one"


def _pace(fewer: int, seconds: float, ahead: int) -> str:
    """How long the rest of the queue takes if it moves as before; empty if it has not moved."""
    if not fewer:
        return ""
    return f" (about {1 + int(seconds / fewer * (ahead + 1) / 60)} min more at the current pace)"


def _too_many(tasks: int, running: int, most: int) -> BadInput:
    left = most - running
    fewer = f", or ask for {'at most ' * (left > 1)}{left}" if left > 0 else ""
    return BadInput(
        f"{tasks} more {'task is' if tasks == 1 else 'tasks are'} too many on this shared machine:"
        f" each person may run {most} at a time, and you already run or wait for {running}.",
        f"Stop a run first (mwtutor runs lists the runs of a directory){fewer}.",
    )


def _first_line(error: BaseException) -> str:
    if isinstance(error, KeyError):
        return "it has no section [classroom]"
    if isinstance(error, TypeError):
        return "it needs tasks and per_person, and may have idle; each must be a whole number"
    text = error.problem if isinstance(error, BadInput) else str(error)
    return text.split("\n")[0].rstrip(".")
