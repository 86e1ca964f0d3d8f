"""Collectives of the program's own, which are not recorded."""

from __future__ import annotations

from mwtutor.worker.patches import exchanges


def test_a_raw_collective_of_one_task_leaves_nothing_unrecorded(monkeypatch):
    left = []
    monkeypatch.setattr(exchanges.ledger, "leave_out", left.append)
    build = exchanges._unnoted(lambda **given: given["group_size"])
    assert [build(group_size=size) for size in (0, 1)] == [0, 1]
    assert left == []
    assert build(group_size=2) == 2
    assert left == ["tf.raw_ops"]
