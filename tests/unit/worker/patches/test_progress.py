"""Progress of ``fit``, and the start of a server, without the program's help.

The patches observe the list of callbacks and the server's class, as Keras and TensorFlow define
them.
"""

from __future__ import annotations

import json
import os
import types

import pytest

from mwtutor import metrics
from mwtutor.worker.patches import progress, serving


@pytest.fixture
def told(monkeypatch):
    """What this process reports to its supervisor, over a real pipe."""
    read, write = os.pipe()
    os.set_blocking(read, False)
    monkeypatch.setattr(metrics, "_channel", metrics.Channel(write))
    monkeypatch.setattr(metrics, "_last_sent", 0.0)

    def messages() -> list[dict]:
        metrics.flush()
        try:
            return [json.loads(line) for line in os.read(read, 1 << 16).splitlines()]
        except BlockingIOError:
            return []

    yield messages
    os.close(read)
    os.close(write)


@pytest.fixture
def callbacks(told):
    """Keras's list of callbacks, in the module where one of its versions has it."""

    class CallbackList:
        params = {"epochs": 3, "steps": 20}  # noqa: RUF012 - as Keras has it

        def __getattr__(self, name: str):
            raise AttributeError(name)

    def nothing(self, *args, **kwargs):
        return "Keras's own answer"

    for what in ("train", "epoch", "test", "predict", "train_batch"):
        for end in ("begin", "end"):
            setattr(CallbackList, f"on_{what}_{end}", nothing)
    module = types.ModuleType("keras.src.callbacks.callback_list")
    CallbackList.__module__ = module.__name__
    module.CallbackList = CallbackList
    progress._watch(module)
    return CallbackList()


def test_the_place_of_a_step_is_told_and_keras_gets_its_answer(callbacks, told):
    callbacks.on_train_begin()
    assert callbacks.on_epoch_begin(1) == "Keras's own answer"
    callbacks.on_train_batch_begin(0)
    assert callbacks.on_train_batch_end(4, {"loss": 0.5}) == "Keras's own answer"
    (said,) = told()
    wanted = {"epoch": 2, "epochs": 3, "step": 5, "steps": 20, "metrics": {"loss": 0.5}}
    assert {name: said[name] for name in wanted} == wanted
    assert said["event"] == "progress"


def test_the_end_of_an_epoch_is_told_with_its_metrics(callbacks, told):
    callbacks.on_epoch_begin(0)
    callbacks.on_epoch_end(0, {"loss": 0.25, "val_loss": 1.0})
    said = told()[-1]
    assert (said["epoch"], said["metrics"]) == (1, {"loss": 0.25, "val_loss": 1.0})


def test_a_module_that_only_names_the_class_is_left_alone():
    class CallbackList:
        def on_epoch_begin(self, epoch, logs=None): ...

    before = CallbackList.on_epoch_begin
    module = types.ModuleType("keras.src.callbacks")  # the class belongs to another module
    module.CallbackList = CallbackList
    progress._watch(module)
    assert CallbackList.on_epoch_begin is before
    progress._watch(types.ModuleType("keras.src.callbacks"))


def test_a_server_says_that_it_serves_before_it_waits(told):
    class Server:
        def join(self):
            return told()

    module = types.ModuleType("tensorflow.python.training.server_lib")
    module.Server = Server
    serving._announce_join(module)
    assert [one["event"] for one in Server().join()] == ["serving"]
