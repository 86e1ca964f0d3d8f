"""Real disks that are full or read-only, for tests."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

PAGE = 4096


@contextlib.contextmanager
def small_disk(path: Path, pages: int, inodes: int = 1000) -> Iterator[Path]:
    """Mount a file system of this many pages at ``path``; skip the test if that is impossible."""
    if os.getuid() != 0:
        pytest.skip("only root can mount a disk")
    path.mkdir()
    size = f"size={pages * PAGE},nr_inodes={inodes}"
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(path)], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"no disk can be mounted here: {mounted.stderr.strip()}")
    before = os.getcwd()
    try:
        yield path
    finally:
        os.chdir(before)
        subprocess.run(["umount", "--lazy", str(path)], check=True)


def fill(disk: Path, leave: int = 0) -> None:
    """Leave this many pages of the disk free."""
    free = os.statvfs(disk).f_bavail - leave
    (disk / "filling").write_bytes(bytes(PAGE * free))
    assert os.statvfs(disk).f_bavail == leave


def make_read_only(disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
