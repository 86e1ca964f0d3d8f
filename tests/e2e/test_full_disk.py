"""Launches on full disks, from the terminal: they are rejected with a message, or run cleanly."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.test_cli import MWTUTOR, mwtutor
from tests.support.machines.disks import fill, small_disk

pytestmark = [pytest.mark.e2e, pytest.mark.full]


def assert_refused(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 2, done.stdout
    problem, remedy = done.stderr.splitlines()
    assert problem.startswith("mwtutor: ")
    assert "No space left on device" in problem
    assert remedy


@pytest.mark.parametrize(("free", "inodes"), [(3, 100), (12, 100), (30, 11), (30, 13)])
def test_a_run_that_there_is_no_room_for_is_refused(tmp_path, free, inodes):
    with small_disk(tmp_path / "disk", 40, inodes) as disk:
        os.chdir(disk)
        Path("main.py").write_text("print('ok')")
        fill(disk, leave=free)
        assert_refused(mwtutor("launch", "1", "main.py", "--cold"))
        assert os.listdir(".mwtutor/runs") == []


def test_a_disk_that_a_run_fills_can_be_cleaned(tmp_path):
    with small_disk(tmp_path / "disk", 60) as disk:
        os.chdir(disk)
        Path("main.py").write_text("print('x' * 1_000_000)")
        done = mwtutor("launch", "1", "main.py", "--cold")
        assert done.returncode == 1, done.stderr
        assert "No space left on device" in done.stdout
        assert mwtutor("runs", "--clean").returncode == 0
        assert os.listdir(".mwtutor/runs") == []


#: Directories for other files, if not the current directory.
PLACES = [place for place in ("/tmp", "/var/tmp", "/usr/tmp") if os.path.isdir(place)]


def test_without_any_room_for_temporary_files(tmp_path):
    if shutil.which("unshare") is None:
        pytest.skip("there is no unshare here")
    close = "".join(
        f"mount --rbind {place} {place} && mount -o remount,bind,ro {place} && " for place in PLACES
    )
    with small_disk(tmp_path / "disk", 4) as disk:
        os.chdir(disk)
        Path("main.py").write_text("print('ok')")
        fill(disk)
        env = {
            name: value
            for name, value in os.environ.items()
            if name not in ("TMPDIR", "TEMP", "TMP")
        }
        inside = f'{close} cd "$0" && exec "$@"'
        launch = [*MWTUTOR, "launch", "1", "main.py"]
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", inside, str(disk), *launch],
            env=env, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert_refused(done)
