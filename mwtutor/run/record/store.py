"""Where runs are kept: ``.mwtutor/runs/<id>/`` below the directory they were launched in."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from mwtutor.exceptions import BadInput, message_of
from mwtutor.run.record.paths import EVENTS, LOGS, SPEC, TF_CONFIGS, root
from mwtutor.system import files, locks

#: How many runs are kept; older ones that have ended are removed when a new one starts.
KEPT = 20

#: Seconds that a launch waits for another launch of the same name, which may stop a run first.
_PATIENCE = 60.0

#: Seconds after which a directory without a ``run.json`` counts as abandoned.
_MAKING = 60.0

_ID = re.compile(r"\d{8}-\d{6}-\d{3}-[A-Za-z0-9_.-]+")


def unwritable(path: Path, error: OSError) -> BadInput:
    """The error for a run that cannot be stored."""
    remedy = "Change to your own directory and launch again."
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        remedy = (
            "Free up space there, for example with mwtutor runs --clean, or launch from another"
            " directory."
        )
    return BadInput(f"Runs are kept in {path}, which cannot be written: {error.strerror}.", remedy)


#: The files of a run that are read before anything is shown.
_READ = (SPEC, EVENTS)


def _closed(path: Path) -> bool:
    try:
        files.open_file(path).close()
    except PermissionError:
        return True
    except OSError:
        pass
    return False


class Store:
    """The runs of one directory."""

    def __init__(self, base: Path | None = None) -> None:
        self.root = root(base)

    def new(self, name: str) -> Path:
        """Create the directory of a new run, private to the user.

        Raises:
            BadInput: the directory cannot be written.
        """
        try:
            self._make_root()
            path = self._new_directory(name)
        except OSError as error:
            raise unwritable(self.root, error) from None
        try:
            for name in (LOGS, TF_CONFIGS):
                files.make_directory(path / name, 0o700)
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
                files.make_directory(path, 0o700)
                return path

    def _make_root(self) -> None:
        # Anyone who can write there could replace one of this user's runs; anyone who can open a
        # lock could hold it.
        for name, mode, taken in (
            ("", 0o755, 0o022),
            ("runs", 0o755, 0o022),
            ("locks", 0o700, 0o077),
        ):
            with contextlib.suppress(FileExistsError):
                files.make_directory(self.root / name, mode)
            files.take_access(self.root / name, taken)
        if ".gitignore" not in files.names_in(self.root):
            files.write_whole(self.root / ".gitignore", b"*\n")

    @contextlib.contextmanager
    def claim(self, name: str, patience: float = _PATIENCE) -> Iterator[None]:
        """Make other launches under this name wait, so that they find the run that is created here.

        Args:
            patience: seconds to wait for another launch.

        Raises:
            BadInput: the directory cannot be written, or another launch is still in progress.
        """
        with contextlib.ExitStack() as claimed:
            try:
                self._make_root()
                claimed.enter_context(locks.hold(self.root / "locks" / name, patience))
            except OSError as error:
                raise unwritable(self.root, error) from None
            yield

    def claim_devices(self) -> contextlib.AbstractContextManager[None]:
        """Make other launches that choose devices wait, so that they see which ones are in use."""
        return self.claim(".devices")  # no run's name begins with a dot

    def directories(self) -> Iterator[Path]:
        """The runs here, the newest first."""
        try:
            names = sorted(files.names_in(self.root / "runs"), reverse=True)
        except OSError:
            return
        for name in names:
            path = self.root / "runs" / name
            # Path.is_file raises an error if another user's directory is not accessible.
            if _ID.fullmatch(name) and os.path.isfile(path / SPEC):
                yield path

    def hides_some(self) -> bool:
        """Whether there are runs here that this user is not allowed to read."""
        runs = self.root / "runs"
        try:
            names = [name for name in files.names_in(runs) if _ID.fullmatch(name)]
        except PermissionError:
            return True
        except OSError:
            return False
        return any(_closed(runs / name / file) for name in names for file in _READ)

    def remnants(self) -> Iterator[Path]:
        """This user's directories without a recorded run: the process that created them died."""
        runs = self.root / "runs"
        with contextlib.suppress(OSError):
            for name in files.names_in(runs):
                seen = files.status(runs / name)
                ours = stat.S_ISDIR(seen.st_mode) and seen.st_uid == os.getuid()
                if not ours or time.time() - seen.st_mtime < _MAKING or not _ID.fullmatch(name):
                    continue
                if not os.path.lexists(runs / name / SPEC):
                    yield runs / name

    @staticmethod
    def remove(path: Path) -> str:
        """Remove a run's directory; return why some of it remains, empty if nothing does."""
        try:
            files.remove_tree(path)
        except FileNotFoundError:
            return ""
        except OSError as error:
            return message_of(error)
        return ""
