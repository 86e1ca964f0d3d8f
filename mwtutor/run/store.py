"""Where runs are kept: ``.mwtutor/runs/<id>/`` below the directory they were launched in."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from mwtutor.exceptions import BadInput

#: How many runs are kept; older ones that have ended are removed when a new one starts.
KEPT = 20

_ID = re.compile(r"\d{8}-\d{6}-\d{3}-[A-Za-z0-9_.-]+")


def working_directory() -> Path:
    """The present directory.

    Raises:
        BadInput: it has been removed.
    """
    try:
        return Path.cwd()
    except OSError:
        raise BadInput(
            "The present directory has been removed.",
            "Change to one that exists (cd in a terminal, %cd in a notebook) and try again.",
        ) from None


class Store:
    """The runs of one directory."""

    def __init__(self, base: Path | None = None) -> None:
        self.root = (base or working_directory()) / ".mwtutor"

    def new(self, name: str) -> Path:
        """Make the directory of a new run, private to the user.

        Raises:
            BadInput: the directory cannot be written.
        """
        runs = self.root / "runs"
        try:
            self._make_root()
            while True:
                now = time.time()
                stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(now))
                path = runs / f"{stamp}-{int(now * 1000) % 1000:03d}-{name}"
                with contextlib.suppress(FileExistsError):
                    path.mkdir(mode=0o700)
                    (path / "logs").mkdir()
                    (path / "tf_config").mkdir()
                    return path
        except OSError as error:
            raise self._cannot_be_written(error) from None

    def _make_root(self) -> None:
        (self.root / "runs").mkdir(parents=True, exist_ok=True)
        ignore = self.root / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n")

    def _cannot_be_written(self, error: OSError) -> BadInput:
        return BadInput(
            f"Runs are kept in {self.root}, which cannot be written: {error.strerror}.",
            "Change to a directory of your own and launch again.",
        )

    @contextlib.contextmanager
    def claim(self, name: str) -> Iterator[None]:
        """Keep other launches under this name waiting: they are to find the run that is made here.

        Raises:
            BadInput: the directory cannot be written.
        """
        try:
            self._make_root()
            lock = open(self.root / f"{name}.lock", "ab")  # noqa: SIM115
        except OSError as error:
            raise self._cannot_be_written(error) from None
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
            if _ID.fullmatch(name) and (path / "run.json").is_file():
                yield path

    @staticmethod
    def remove(path: Path) -> None:
        shutil.rmtree(path, ignore_errors=True)
