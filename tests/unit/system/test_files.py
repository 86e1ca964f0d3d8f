"""Files on a disk that is full."""

from __future__ import annotations

import os
import threading

import pytest

from mwtutor.system.files import unnamed_file, write_whole
from tests.support.machines.disks import fill, small_disk


def test_a_file_is_written_whole_or_stays_as_it_was(tmp_path):
    with small_disk(tmp_path / "disk", 8) as disk:
        file = disk / "main.py"
        write_whole(file, b"before")
        file.chmod(0o750)
        fill(disk, leave=1)
        with pytest.raises(OSError, match="No space left"):
            write_whole(file, bytes(8192))
        assert file.read_bytes() == b"before"
        assert sorted(os.listdir(disk)) == ["filling", "main.py"]
        write_whole(file, b"after")
        assert file.read_bytes() == b"after"
        assert file.stat().st_mode & 0o777 == 0o750


def test_a_link_stays_one(tmp_path):
    (tmp_path / "to.py").symlink_to("main.py")
    write_whole(tmp_path / "to.py", b"x")
    assert (tmp_path / "to.py").is_symlink()
    assert (tmp_path / "main.py").read_bytes() == b"x"


def test_a_file_without_a_name():
    with unnamed_file() as file:
        file.write(b"a\nb")
        file.seek(0)
        assert file.readlines() == [b"a\n", b"b"]


def test_two_may_write_the_same_file_at_once(tmp_path):
    path = tmp_path / "file"
    failed: list[BaseException] = []

    def write(data: bytes) -> None:
        try:
            for _ in range(300):
                write_whole(path, data)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=write, args=(bytes([i]) * 1000,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert len(set(path.read_bytes())) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["file"]
