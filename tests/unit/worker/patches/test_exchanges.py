"""Which code requests an exchange outside of functions; the program's own collectives."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from mwtutor.run.observations.ledgers import read
from mwtutor.worker.ledger import Ledger
from mwtutor.worker.patches import exchanges


class Keys:
    """Like TensorFlow's keys, which count up."""

    drawn = 0

    def get_instance_key(self, group_key, device):
        self.drawn += 1
        return self.drawn


#: Like TensorFlow's class, which puts a key into a tensor; in a file that is not the program's.
LAUNCHER = """
class CollectiveReplicaLauncher:
    def __init__(self, keys, build):
        self.keys, self.build = keys, build

    def _next_instance_key(self):
        return Tensor(self.keys.get_instance_key(1, "/job:worker/task:0/device:CPU:1"))

    def all_reduce(self, given, members=2):
        held = self._next_instance_key()
        return self.build(given, members, 1, held, communication_hint="auto")
"""


class Tensor:
    """A value outside of graphs."""

    dtype, shape = "float32", (3,)

    def __init__(self, value):
        self.value, self.read = value, 0

    def __int__(self):
        self.read += 1
        return self.value

    def _shape_tuple(self):
        return self.shape

    def _datatype_enum(self):
        return 1


def build(t, group_size, group_key, instance_key, communication_hint="auto"):
    """Like the function that executes a collective."""
    if t.value is None:
        raise ValueError("a peer no longer exists")
    return instance_key


@pytest.fixture
def log(tmp_path):
    return tmp_path / "worker-0.log"


@pytest.fixture
def launcher(log, monkeypatch):
    monkeypatch.setattr(exchanges.ledger, "_ledger", Ledger(log, 1))
    module = SimpleNamespace(
        ops=SimpleNamespace(EagerTensor=Tensor),
        CollectiveKeys=type("CollectiveKeys", (Keys,), {}),
        Tensor=Tensor,
    )
    exec(compile(LAUNCHER, "/site-packages/launcher.py", "exec"), vars(module))
    exchanges._note_keys(module)
    recording = exchanges._recording("all_reduce_v2", build)
    return module.CollectiveReplicaLauncher(module.CollectiveKeys(), recording)


def recorded(log):
    found = read(log)
    assert found.whole
    return found.exchanges


@pytest.mark.tensorflow
def test_a_key_that_was_just_drawn_is_known_without_reading_its_tensor(launcher, log):
    held = [launcher.all_reduce(Tensor(0)) for _ in range(3)]
    assert [tensor.read for tensor in held] == [0, 0, 0]
    found = recorded(log)
    assert [(one.key, one.execution, one.device, one.times) for one in found] == [
        (1, 1, "CPU:1", 1),
        (2, 1, "CPU:1", 2),
        (3, 1, "CPU:1", 3),
    ]
    assert {one.line.line for one in found} == {HERE.co_firstlineno + 2}
    assert all(one.done and one.what == "float32[3]" for one in found)


HERE = test_a_key_that_was_just_drawn_is_known_without_reading_its_tensor.__code__


@pytest.mark.tensorflow
def test_a_key_of_the_programs_own_is_read(launcher, log):
    launcher._next_instance_key()  # the key of a graph that is called now
    held = Tensor(77)
    for _ in range(2):  # once more, in a loop of the program's own
        launcher.build(Tensor(0), 2, 1, held)
    assert held.read == 2
    assert [(one.key, one.execution) for one in recorded(log)] == [(77, 1), (77, 2)]


@pytest.mark.tensorflow
def test_each_line_and_shape_has_its_own_description(launcher, log):
    larger = Tensor(0)
    larger.shape = (4,)
    for given in (Tensor(0), larger, Tensor(0)):
        launcher.all_reduce(given)
    launcher.all_reduce(larger)
    found = recorded(log)
    assert [one.what for one in found] == [f"float32[{size}]" for size in (3, 4, 3, 4)]
    first, second, third, fourth = (one.line.line for one in found)
    assert first == second == third == fourth - 1


@pytest.mark.tensorflow
def test_an_error_ends_an_exchange(launcher, log):
    with pytest.raises(ValueError, match="a peer no longer exists"):
        launcher.all_reduce(Tensor(None))
    launcher.all_reduce(Tensor(0))
    assert [one.broken for one in recorded(log)] == [True, False]


@pytest.mark.tensorflow
def test_an_exchange_of_one_device_is_none(launcher, log):
    launcher.all_reduce(Tensor(0), members=1)
    assert recorded(log) == ()


@pytest.mark.tensorflow
def test_a_key_is_not_that_of_an_exchange_which_never_began(launcher, log):
    with pytest.raises(TypeError):
        launcher.all_reduce()
    with pytest.raises(AttributeError):
        type(launcher).all_reduce(
            SimpleNamespace(_next_instance_key=launcher._next_instance_key), 0
        )
    held = Tensor(77)
    launcher.build(Tensor(0), 2, 1, held)
    assert [one.key for one in recorded(log)] == [77]


def test_a_raw_collective_of_one_task_leaves_nothing_unrecorded(monkeypatch):
    left = []
    monkeypatch.setattr(exchanges.ledger, "leave_out", left.append)
    build = exchanges._unnoted(lambda **given: given["group_size"])
    assert [build(group_size=size) for size in (0, 1)] == [0, 1]
    assert left == []
    assert build(group_size=2) == 2
    assert left == ["tf.raw_ops"]
