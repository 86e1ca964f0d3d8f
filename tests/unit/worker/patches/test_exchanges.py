"""Whose an exchange is that is executed outside of functions; the program's own collectives."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from mwtutor.worker.ledger import Ledger
from mwtutor.worker.patches import exchanges


class Keys:
    """As TensorFlow's, which count."""

    drawn = 0

    def get_instance_key(self, group_key, device):
        self.drawn += 1
        return self.drawn


class Launcher:
    """Like TensorFlow's, which puts a key into a tensor."""

    def __init__(self):
        self.keys = Keys()

    def _next_instance_key(self):
        return Tensor(self.keys.get_instance_key(1, "/job:worker/task:0/device:CPU:1"))


class Tensor:
    def __init__(self, value):
        self.value, self.read = value, 0

    def __int__(self):
        self.read += 1
        return self.value


@pytest.fixture
def launcher(tmp_path, monkeypatch):
    noting = Ledger(tmp_path / "worker-0.log", 1)
    monkeypatch.setattr(exchanges.ledger, "_ledger", noting)
    module = SimpleNamespace(
        CollectiveKeys=type("CollectiveKeys", (Keys,), {}),
        CollectiveReplicaLauncher=type("CollectiveReplicaLauncher", (Launcher,), {}),
    )
    exchanges._note_keys(module)
    one = module.CollectiveReplicaLauncher()
    one.keys = module.CollectiveKeys()
    return one


def requested(key, group=1):
    given = {"group_key": group, "instance_key": key, "device": "CPU:0"}
    return exchanges._requested_by(exchanges.ledger.here(), given)


@pytest.mark.tensorflow
def test_a_key_that_was_just_drawn_is_known_without_reading_its_tensor(launcher):
    tensor = launcher._next_instance_key()
    group, key, device, *_, alone = requested(tensor)
    assert (group, key, device, alone, tensor.read) == (1, 1, "CPU:1", True, 0)
    assert requested(tensor)[-1] is False  # once more, in a loop of the program's own


@pytest.mark.parametrize(("group", "key"), [(1, 77), (2, 1)])
def test_a_key_of_the_programs_own_is_read(launcher, group, key):
    launcher._next_instance_key()  # of a graph that is called now
    assert requested(Tensor(key), group)[1:3] == (key, "CPU:0")
    launcher._next_instance_key()
    launcher.keys.get_instance_key(1, "device:CPU:1")
    assert requested(Tensor(3))[1:3] == (3, "CPU:1")


def test_a_raw_collective_of_one_task_leaves_nothing_unrecorded(monkeypatch):
    left = []
    monkeypatch.setattr(exchanges.ledger, "leave_out", left.append)
    build = exchanges._unnoted(lambda **given: given["group_size"])
    assert [build(group_size=size) for size in (0, 1)] == [0, 1]
    assert left == []
    assert build(group_size=2) == 2
    assert left == ["tf.raw_ops"]
