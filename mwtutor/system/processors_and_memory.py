"""How many processors and how much memory this process can use, and what sets these limits.

A container, a scheduler's job or a service has less than the whole machine, because of its affinity
or its control groups (cgroups). Groups are nested, each may have a limit, and the smallest limit
applies. The kernel's files come in two versions: one hierarchy per controller (v1), or one for all
(v2); a machine may have both.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from mwtutor.sanitize import whole_number
from mwtutor.system.linux import ROOT
from mwtutor.system.mounts import mounts

#: The kernel writes a number near 2^63 if memory is not limited.
_UNLIMITED = 1 << 60


@dataclass(frozen=True)
class Limits:
    """The processors and the memory that this process can use.

    Attributes:
        cores: processors; a quota may be a fraction.
        cores_by: the limit on them, as a clause that says where it is set; empty if only the
            machine limits them.
        memory: bytes that are still available.
        memory_by: the limit on the memory, in the same form.
        cap: the smallest memory limit of a group in bytes, whether or not it determines ``memory``;
            0 if there is none.
    """

    cores: float
    cores_by: str
    memory: int
    memory_by: str
    cap: int = 0


def limits(root: Path = ROOT) -> Limits:
    """The limits of this process.

    Args:
        root: the directory that contains ``proc``, ``sys`` and the mounts.
    """
    groups = list(_memory_groups(root))
    memory = min((left, by) for _, left, by in [(0, _available(root), ""), *groups])
    return Limits(*min(_cores(root)), *memory, min((cap for cap, *_ in groups), default=0))


def _cores(root: Path) -> Iterator[tuple[float, str]]:
    count = _online(root)
    yield float(count), ""
    allowed = _number_of(_field(root / "proc/self/status", "Cpus_allowed_list:"))
    if allowed and allowed < count:
        yield float(allowed), f"an affinity to {allowed} of {count} processors"
    for group in _groups(root, "cpu"):
        if group.version == 2:
            quota, _, period = _read(group.path / "cpu.max").partition(" ")
        else:
            quota = _read(group.path / "cpu.cfs_quota_us")
            period = _read(group.path / "cpu.cfs_period_us")
        most, each = whole_number(quota), whole_number(period)  # "max", or -1, is not a number
        if most and each:
            yield most / each, f"the CPU quota of {group.shown}"


def _memory_groups(root: Path) -> Iterator[tuple[int, int, str]]:
    """For each limit: its bytes, how many are left, and where it is."""
    for group in _groups(root, "memory"):
        if group.version == 2:
            # Above "high", the kernel does not refuse memory, but slows the group to a crawl.
            limits = ["memory.max", "memory.high"]
            used, idle = "memory.current", "inactive_file"
        else:
            limits = ["memory.limit_in_bytes"]
            used, idle = "memory.usage_in_bytes", "total_inactive_file"
        read = [whole_number(_read(group.path / name), digits=19) for name in limits]
        set_ones = [most for most in read if most is not None and most < _UNLIMITED]
        taken = whole_number(_read(group.path / used), digits=19)
        if not set_ones or taken is None:
            continue
        most = min(set_ones)
        # The kernel reclaims inactive file pages before it refuses memory.
        spare = whole_number(_field(group.path / "memory.stat", f"{idle} "), digits=19) or 0
        left = max(0, most - max(0, taken - spare))
        yield most, left, f"the limit of {gib(most)} of {group.shown}"


@dataclass(frozen=True)
class _Group:
    """A control group that this process is in.

    Attributes:
        version: 1 or 2.
        path: its directory.
        shown: the same path, as this process sees it.
    """

    version: int
    path: Path
    shown: str


def _groups(root: Path, controller: str) -> Iterator[_Group]:
    """The groups of a controller that this process is in, from the innermost outward."""
    for line in _read(root / "proc/self/cgroup").split("\n"):
        _, colon, rest = line.partition(":")
        controllers, colon, own = rest.partition(":")
        version = 1 if controllers else 2
        if not colon or (version == 1 and controller not in controllers.split(",")):
            continue
        for mount in mounts(root):
            if mount.kind != ("cgroup2" if version == 2 else "cgroup"):
                continue
            if version == 1 and controller not in mount.options:
                continue
            for step in _upwards(own, mount.root):
                shown = os.path.normpath(f"{mount.point}/{step}")
                yield _Group(version, root / shown.lstrip("/"), shown)


def _upwards(own: str, mounted: str) -> Iterator[str]:
    """A group and its parents, within the mounted part of the hierarchy.

    In a container, the path may be the host's, which does not exist there.
    """
    inside = os.path.relpath(own, mounted) if own.startswith("/") else "."
    steps = [] if inside == "." or inside.startswith("..") else inside.split("/")
    for count in range(len(steps), -1, -1):
        yield "/".join(steps[:count])


def _online(root: Path) -> int:
    text = _read(root / "sys/devices/system/cpu/online")
    return _number_of(text) or os.cpu_count() or 1


def _number_of(ranges: str) -> int:
    """The count of numbers in a list such as ``0-3,8``; 0 if the text is not such a list."""
    count = 0
    for part in ranges.split(",") if ranges else ():
        first, dash, last = part.partition("-")
        begin, end = whole_number(first), whole_number(last if dash else first)
        if begin is None or end is None or end < begin:
            return 0
        count += end - begin + 1
    return count


def _available(root: Path) -> int:
    kib = whole_number(_field(root / "proc/meminfo", "MemAvailable:").removesuffix(" kB"))
    return int(psutil.virtual_memory().available) if kib is None else kib * 1024


def _field(file: Path, name: str) -> str:
    lines = _read(file).split("\n")
    return next((line.removeprefix(name).strip() for line in lines if line.startswith(name)), "")


def _read(file: Path) -> str:
    try:
        return file.read_text(errors="replace").strip()
    except OSError:
        return ""


def gib(size: int) -> str:
    """Bytes in words: ``1.5 GiB``."""
    return f"{size / 2**30:.1f} GiB"
