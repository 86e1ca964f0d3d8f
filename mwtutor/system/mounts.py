"""The mounts, as the kernel lists them, and which file systems are local."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mwtutor.system.linux import ROOT

#: File systems that only one kernel mounts at a time, so only its processes hold locks there.
_LOCAL = {"bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "overlay", "tmpfs", "xfs", "zfs"}


@dataclass(frozen=True)
class Mount:
    """One mount.

    Attributes:
        point: the path where it is mounted.
        root: the directory of its file system that is mounted there.
        kind: the type of the file system.
        options: the options of the file system.
    """

    point: str
    root: str
    kind: str
    options: tuple[str, ...]


def mounts(root: Path = ROOT) -> Iterator[Mount]:
    """The mounts that this process sees; later ones hide earlier ones.

    Args:
        root: the directory that contains ``proc``.
    """
    try:
        text = (root / "proc/self/mountinfo").read_text(errors="surrogateescape")
    except OSError:
        return
    for line in text.split("\n"):
        where, dash, what = line.partition(" - ")
        if dash:
            fields, (kind, _, options) = where.split(" "), what.split(" ")[:3]
            yield Mount(
                _unescaped(fields[4]), _unescaped(fields[3]), kind, tuple(options.split(","))
            )


def is_local(path: Path) -> bool:
    """Whether the path is on a file system that no other machine mounts at the same time."""
    wanted = os.path.join(os.path.realpath(path), "")
    longest, kind = "", ""
    for mount in mounts():
        point = os.path.join(mount.point, "")
        if wanted.startswith(point) and len(point) >= len(longest):  # the last mount hides others
            longest, kind = point, mount.kind
    return kind in _LOCAL


def _unescaped(path: str) -> str:
    for code in ("\\040", "\\011", "\\012", "\\134"):
        path = path.replace(code, chr(int(code[1:], 8)))
    return path
