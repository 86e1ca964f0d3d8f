"""Who owns a run: mwtutor trusts and changes only the runs of this user.

A run's directory may come from anywhere: from a cloned repository, from a home directory that
others can write to, or from another user's directory that an administrator reads.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from mwtutor.run.record.spec import RunSpec

_ANOTHERS = "its directory belongs to another user"
_OPEN = "others can write to its directory"
_COPY = "its directory is a copy"


def why_foreign(spec: RunSpec) -> str:
    """Why the run does not count as this user's; empty if it does, or has no directory."""
    directory = Path(os.path.realpath(spec.path))
    try:
        made_here = directory.stat().st_ino == spec.inode
        parts = [_seen(directory.parent), _seen(directory)]
        files = [_seen(directory / file.name) for file in (spec.file, spec.events, spec.lock)]
    except FileNotFoundError:
        return ""
    except OSError:
        return _ANOTHERS
    present = [part for part in (*parts, *files) if part is not None]
    if any(part.st_uid != os.getuid() for part in present):
        return _ANOTHERS
    if any(map(_can_be_written_by_others, present)):
        return _OPEN
    plain = all(stat.S_ISREG(part.st_mode) for part in files if part is not None)
    return "" if made_here and plain else _COPY


def _seen(path: Path) -> os.stat_result | None:
    try:
        return path.lstat()
    except FileNotFoundError:
        return None


def _can_be_written_by_others(part: os.stat_result) -> bool:
    return bool(part.st_mode & 0o022)
