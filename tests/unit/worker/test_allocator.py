"""A task keeps memory that is freed and allocated again, unless this is switched off."""

from __future__ import annotations

import platform

import pytest

from tests.unit.worker.task import as_task, by_hand

#: Three blocks, each too small for its own pages, together more than glibc keeps.
PROGRAM = """
import resource

def step():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    blocks = [bytearray(20 << 20) for _ in range(3)]
    del blocks
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

step(), step()
print(min(step() for _ in range(5)) * resource.getpagesize() >> 20)
"""

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc is told")


@pytest.fixture(autouse=True)
def untold(monkeypatch):
    for name in ("MWTUTOR_MALLOC", "MALLOC_ARENA_MAX", "GLIBC_TUNABLES"):
        monkeypatch.delenv(name, raising=False)


def test_a_task_keeps_what_it_will_need_again(tmp_path):
    assert int(as_task(tmp_path, PROGRAM).printed) < 10
    assert int(by_hand(tmp_path, PROGRAM).printed) > 30, "what glibc does by itself has changed"


def test_it_does_so_once_tensorflow_has_seen_a_generator(tmp_path):
    """``GeneratorDatasetOp`` sets ``M_TRIM_THRESHOLD`` (-1) to 128 kB, in TensorFlow 2.21."""
    told = "import ctypes\nassert ctypes.CDLL(None).mallopt(-1, 128 << 10)\n"
    assert int(as_task(tmp_path, told + PROGRAM).printed) < 10


@pytest.mark.parametrize("name", ["MWTUTOR_MALLOC", "GLIBC_TUNABLES"])
def test_what_somebody_has_chosen_is_left_alone(tmp_path, monkeypatch, name):
    monkeypatch.setenv(name, {"GLIBC_TUNABLES": "glibc.malloc.check=0"}.get(name, "0"))
    assert int(as_task(tmp_path, PROGRAM).printed) > 30
