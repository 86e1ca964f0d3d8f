"""The commands of a supervisor."""

from __future__ import annotations

import json
import os
import socket

import pytest

from mwtutor.cluster import TaskId
from mwtutor.run import control
from mwtutor.supervisor.orders import Orders
from mwtutor.supervisor.wires import Wires
from mwtutor.system.runtime_dir import runtime_dir


@pytest.mark.parametrize("told", [[], {"verb": "kill", "task": "worker:0", "signal": None}, 1])
def test_an_order_that_is_none_harms_nobody(told):
    orders = Orders({TaskId("worker", 0): _Live()}, print, print, print)
    path = runtime_dir() / f"test-{os.getpid()}.sock"
    server = control.ControlServer(control.listen(path), orders.obey)
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
        client.sendall(json.dumps(told).encode())
        server.serve()  # takes the connection
        server.serve()  # and the command
        assert client.recv(100) == b""
    server.close()


class _Live:
    ended = False


def test_what_is_on_no_machine_has_no_cable():
    said = Wires(None, lambda task: 0, print).obey("unplug", TaskId("worker", 0), {})
    assert said["error"] == "worker:0 has no machine of its own, so it has no cable"
    assert said["remedy"] == "Launch with --machines."


def test_what_has_ended_is_not_unplugged_and_is_plugged_in_for_its_restart():
    seen = []
    orders = Orders(
        {TaskId("worker", 0): _Dead()}, print, print, lambda verb, *_: seen.append(verb) or {}
    )
    assert orders.obey({"verb": "unplug", "task": "worker:0"}) == {"error": "worker:0 has ended"}
    orders.obey({"verb": "plug", "task": "worker:0"})
    assert seen == ["plug"]


class _Dead:
    id = TaskId("worker", 0)
    ended = True
