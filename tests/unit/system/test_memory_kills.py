"""Which processes count as killed because memory ran out."""

from __future__ import annotations

from mwtutor.system.memory_kills import LATELY, MemoryKills, oom_kills


def test_only_those_of_the_last_seconds_count():
    now, count = 100.0, 7
    kills = MemoryKills(lambda: count, lambda: now)
    assert kills.lately() == 0  # earlier ones do not count
    count += 2
    for _ in range(20):
        assert kills.lately() == 2
        now += LATELY / 20
        kills.look()
    for _ in range(10):
        now += LATELY / 20
        kills.look()
    assert kills.lately() == 0
    count += 1
    assert kills.lately() == 1


def test_a_long_time_without_a_look_hides_nothing():
    now, count = 100.0, 0
    kills = MemoryKills(lambda: count, lambda: now)
    now += 100 * LATELY
    count += 1
    assert kills.lately() == 1


def test_the_kernels_own_count():
    assert oom_kills() >= 0
