"""What is mounted where, as the kernel lists it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Mount:
    """One mount.

    Attributes:
        point: where it is seen.
        root: which directory of its file system is seen there.
        kind: the type of the file system.
        options: the file system's own.
    """

    point: str
    root: str
    kind: str
    options: tuple[str, ...]


def mounts(root: Path = Path("/")) -> Iterator[Mount]:
    """The mounts that this process sees; a later one is on top of an earlier one.

    Args:
        root: where ``proc`` is.
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


def _unescaped(path: str) -> str:
    for code in ("\\040", "\\011", "\\012", "\\134"):
        path = path.replace(code, chr(int(code[1:], 8)))
    return path
