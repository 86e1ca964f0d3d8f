"""Where runs are kept: ``.mwtutor/runs/<id>/`` below the directory they were launched in."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from mwtutor.exceptions import BadInput, said
from mwtutor.system.files import open_file, write_whole

#: How many runs are kept; older ones that have ended are removed when a new one starts.
KEPT = 20

#: Seconds after which a directory without a ``run.json`` is not one that is being made.
_MAKING = 60.0

_ID = re.compile(r"\d{8}-\d{6}-\d{3}-[A-Za-z0-9_.-]+")


def working_directory() -> Path:
    """The current directory.

    Raises:
        BadInput: it has been removed.
    """
    try:
        return Path.cwd()
    except OSError:
        raise BadInput(
            "The current directory has been removed.",
            "Change to an existing one (cd in a terminal, %cd in a notebook) and try again.",
        ) from None


def unwritable(path: Path, error: OSError) -> BadInput:
    """What to say where a run cannot be kept."""
    remedy = "Change to a directory of your own and launch again."
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        remedy = "Make room there, mwtutor runs --clean makes some, or launch from elsewhere."
    return BadInput(f"Runs are kept in {path}, which cannot be written: {error.strerror}.", remedy)


#: What is read of a run before anything is shown of it.
_READ = ("run.json", "events.jsonl")


def _closed(path: Path) -> bool:
    try:
        open_file(path).close()
    except PermissionError:
        return True
    except OSError:
        pass
    return False


class Store:
    """The runs of one directory."""

    def __init__(self, base: Path | None = None) -> None:
        self.root = (base or working_directory()) / ".mwtutor"

    def new(self, name: str) -> Path:
        """Make the directory of a new run, private to the user.

        Raises:
            BadInput: the directory cannot be written.
        """
        try:
            self._make_root()
            path = self._new_directory(name)
        except OSError as error:
            raise unwritable(self.root, error) from None
        try:
            (path / "logs").mkdir()
            (path / "tf_config").mkdir()
        except OSError as error:
            self.remove(path)
            raise unwritable(self.root, error) from None
        return path

    def _new_directory(self, name: str) -> Path:
        while True:
            now = time.time()
            stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(now))
            path = self.root / "runs" / f"{stamp}-{int(now * 1000) % 1000:03d}-{name}"
            with contextlib.suppress(FileExistsError):
                path.mkdir(mode=0o700)
                return path

    def _make_root(self) -> None:
        for directory in (self.root, self.root / "runs"):
            directory.mkdir(mode=0o755, parents=True, exist_ok=True)
            seen = directory.stat()
            # Who can write there could put a run of theirs in the place of one of ours.
            if seen.st_uid == os.getuid() and seen.st_mode & 0o022:
                directory.chmod(seen.st_mode & 0o7755)
        ignore = self.root / ".gitignore"
        if not ignore.exists():
            write_whole(ignore, b"*\n")

    @contextlib.contextmanager
    def claim(self, name: str) -> Iterator[None]:
        """Make other launches under this name wait, so that they find the run that is made here.

        Raises:
            BadInput: the directory cannot be written.
        """
        try:
            self._make_root()
            lock = open(self.root / f"{name}.lock", "ab")  # noqa: SIM115
        except OSError as error:
            raise unwritable(self.root, error) from None
        with lock:
            with contextlib.suppress(OSError):  # a file system without locks
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def claim_devices(self) -> contextlib.AbstractContextManager[None]:
        """Keep other launches waiting that would choose devices: they are to see what is taken."""
        return self.claim(".devices")  # no run's name begins like that

    def directories(self) -> Iterator[Path]:
        """The runs that are here, the newest first."""
        try:
            names = sorted(os.listdir(self.root / "runs"), reverse=True)
        except OSError:
            return
        for name in names:
            path = self.root / "runs" / name
            # Path.is_file raises where another user's directory is closed.
            if _ID.fullmatch(name) and os.path.isfile(path / "run.json"):
                yield path

    def hides_some(self) -> bool:
        """Whether there are runs here that this user may not look at."""
        runs = self.root / "runs"
        try:
            names = [name for name in os.listdir(runs) if _ID.fullmatch(name)]
        except PermissionError:
            return True
        except OSError:
            return False
        return any(_closed(runs / name / file) for name in names for file in _READ)

    def remnants(self) -> Iterator[Path]:
        """Directories of ours in which no run was ever written down: whoever made them died."""
        runs = self.root / "runs"
        with contextlib.suppress(OSError):
            for name in os.listdir(runs):
                seen = (runs / name).lstat()
                ours = stat.S_ISDIR(seen.st_mode) and seen.st_uid == os.getuid()
                if not ours or time.time() - seen.st_mtime < _MAKING or not _ID.fullmatch(name):
                    continue
                if not os.path.lexists(runs / name / "run.json"):
                    yield runs / name

    @staticmethod
    def remove(path: Path) -> str:
        """Remove a run's directory; why some of it is still there, empty if nothing is."""
        shutil.rmtree(path, ignore_errors=True)
        try:
            if path.exists():
                shutil.rmtree(path)
        except OSError as error:
            return said(error)
        return ""
