"""Real accounts of a shared machine, and limits that only their processes see."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pwd
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from mwtutor.system import classroom
from tests.support.waiting import until

MWTUTOR = "import sys; from mwtutor.cli import main; sys.exit(main())"


class Account:
    """A local account with a home directory.

    Args:
        room: the process whose mounts the account sees.

    Attributes:
        room: the beginning of a command that sees the same mounts.
    """

    def __init__(self, name: str, room: int) -> None:
        self.name = name
        self.room = ["nsenter", f"--target={room}", "--mount"]
        self.entry = pwd.getpwnam(name)
        self.home = Path(self.entry.pw_dir)

    def start(self, *command: str, **options: object) -> subprocess.Popen[str]:
        """Start a command as this account, in its home directory."""
        ids = [f"--reuid={self.entry.pw_uid}", f"--regid={self.entry.pw_gid}", "--clear-groups"]
        enter = [*self.room, f"--wd={self.home}"]
        keep = {key: os.environ[key] for key in ("PATH", "PYTHONPATH") if key in os.environ}
        given: dict[str, object] = {
            "env": {**keep, "HOME": str(self.home), "USER": self.name},
            "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True,
            "start_new_session": True, **options,
        }  # fmt: skip
        return subprocess.Popen([*enter, "setpriv", *ids, *command], **given)  # type: ignore[call-overload,no-any-return]

    def mwtutor(self, *words: str) -> subprocess.Popen[str]:
        """Start the command in a terminal."""
        return self.start(sys.executable, "-u", "-c", MWTUTOR, *words)

    def python(self, code: str) -> str:
        """The output of this code when the account runs it."""
        process = self.start(sys.executable, "-c", code)
        return process.communicate(timeout=240)[0]

    def processes(self) -> list[psutil.Process]:
        """The processes that run as this account, without zombies, which the test reaps."""
        return [
            one
            for one in psutil.process_iter(["uids", "status"])
            if one.info["uids"]
            and one.info["uids"].real == self.entry.pw_uid
            and one.info["status"] != psutil.STATUS_ZOMBIE
        ]

    def kill(self) -> bool:
        """Kill the processes that run as this account; return whether there were any."""
        left = self.processes()
        for process in left:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        return bool(left)


@contextmanager
def accounts(count: int, limits: classroom.Shares) -> Iterator[list[Account]]:
    """New accounts on a machine with these limits; skips the test where they cannot be created."""
    needed = ("useradd", "userdel", "nsenter", "setpriv", "unshare")
    missing = [name for name in needed if shutil.which(name) is None]
    if os.geteuid() != 0 or missing:
        pytest.skip(f"only root can create accounts, with {', '.join(missing or needed)}")
    places = [Path("/", classroom.FILE).parent, Path("/", classroom.CLAIMS).parent]
    with _alone(), _mounted(count, limits, places) as people:
        yield people


@contextmanager
def _alone() -> Iterator[None]:
    """Wait for other such tests: if one removes a directory, mounts on it disappear, too."""
    directory = os.open("/etc", os.O_RDONLY)
    try:
        fcntl.flock(directory, fcntl.LOCK_EX)
        yield
    finally:
        os.close(directory)


@contextmanager
def _mounted(count: int, limits: classroom.Shares, places: list[Path]) -> Iterator[list[Account]]:
    made = [place for place in places if not place.exists()]
    names = [f"mw{secrets.token_hex(3)}" for _ in range(count)]
    people: list[Account] = []
    for place in made:
        place.mkdir()
    steps = [f"mount -t tmpfs -o mode=755 tmpfs {place}" for place in places]
    script = " && ".join([*steps, *_open_interpreter(places[0]), "echo ready", "exec sleep 3600"])
    room = subprocess.Popen(
        ["unshare", "--mount", "sh", "-c", script], stdout=subprocess.PIPE, text=True
    )
    try:
        if not room.stdout or room.stdout.readline() != "ready\n":
            pytest.skip("this machine does not allow mounts")
        for name in names:
            subprocess.run(["useradd", "--create-home", name], check=True)
        people += [Account(name, room.pid) for name in names]
        limit(people[0], limits)
        reads = people[0].python("import mwtutor; print('read')")
        if reads != "read\n":
            pytest.skip(f"other accounts cannot use this environment: {reads[-200:]}")
        yield people
    finally:
        until(lambda: not sum([person.kill() for person in people]), 60)
        room.kill()
        room.wait()
        for name in names:
            subprocess.run(["userdel", "--remove", name], capture_output=True)
        for person in people:  # their files in shared directories, such as mwtutor's sockets
            find = ["find", "/tmp", "-maxdepth", "1", "-user", str(person.entry.pw_uid)]
            subprocess.run([*find, "-exec", "rm", "-rf", "{}", "+"], check=True)
        for place in made:
            place.rmdir()


def limit(anyone: Account, limits: classroom.Shares) -> None:
    """Set these limits, as root, for all accounts on the machine of one of them."""
    command = [*anyone.room, sys.executable, "-c", MWTUTOR, "classroom"]
    words = ["--tasks", str(limits.tasks), "--per-person", str(limits.per_person)]
    subprocess.run([*command, *words, "--idle", str(limits.idle)], check=True)


def _open_interpreter(aside: Path) -> list[str]:
    """Shell commands that let everybody reach this interpreter, which may be in root's home.

    Args:
        aside: a new, empty file system.
    """
    base = Path(sys.base_prefix)
    closed = [parent for parent in base.parents if not parent.stat().st_mode & 0o001]
    if not closed:
        return []
    kept = aside / "interpreter"
    return [
        f"mkdir {kept}",
        f"mount --bind {base} {kept}",
        f"mount -t tmpfs -o mode=755 tmpfs {closed[-1]}",
        f"mkdir -p {base}",
        f"mount --bind {kept} {base}",
        f"umount {kept}",
    ]
