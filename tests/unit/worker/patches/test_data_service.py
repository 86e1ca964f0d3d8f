"""If a dispatcher does not answer, the task reports which one, and how to reach one here."""

from __future__ import annotations

import socket

import pytest

from mwtutor.network import PRIVATE_ENV
from mwtutor.network.hints import LOCALHOST
from mwtutor.system.ports import HeldPorts
from mwtutor.worker.patches import data_service
from tests.unit.worker.task import as_task

#: It ends as soon as the message is complete; TensorFlow would try for an hour.
PROGRAM = """
import os, socket, sys, tensorflow as tf
class Screen:
    def write(self, said):
        os.write(1, said.encode())
    def flush(self):
        os._exit(0)
sys.stderr = Screen()
nobody = socket.socket()
nobody.bind(("127.0.0.1", 0))
service = "grpc://localhost:%d" % nobody.getsockname()[1]
data = tf.data.Dataset.range(4)
data = data.apply(tf.data.experimental.service.distribute("parallel_epochs", service))
"""


@pytest.mark.parametrize("private", [True, False])
def test_a_dispatcher_that_does_not_answer_is_named(monkeypatch, capsys, private):
    monkeypatch.setenv(PRIVATE_ENV, "1" if private else "")
    with HeldPorts(1) as nobody:
        service = f"grpc://{nobody.addresses[0]}"
        data_service.warn(service)
        data_service.warn(service)
    said = capsys.readouterr().err
    assert said.startswith(f"mwtutor: no dispatcher of the tf.data service answers at {service} (")
    assert said.count("Connection refused") == 1
    assert (LOCALHOST in said) == private


def test_nothing_is_said_of_one_that_answers(capsys):
    with socket.create_server(("127.0.0.1", 0)) as there:
        data_service.warn(f"localhost:{there.getsockname()[1]}")
    data_service.warn("grpc://localhost:no port")
    assert capsys.readouterr().err == ""


@pytest.mark.full
@pytest.mark.tensorflow
def test_it_is_asked_before_tensorflow_tries(tmp_path):
    assert (
        "no dispatcher of the tf.data service answers at grpc://localhost:"
        in as_task(tmp_path, PROGRAM).printed
    )
