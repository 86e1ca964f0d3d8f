"""Waiting for names, with a simulated name service and a clock that never waits."""

from __future__ import annotations

import socket

import pytest

from mwtutor.cluster import ClusterSpec
from mwtutor.exceptions import BadCluster
from mwtutor.targets.task import resolve

CLUSTER = ClusterSpec(worker=("w0:2222", "[fd00::1]:2222", "w2:2222"), evaluator=("e0:2222",))


class Service:
    """A name service in which names appear over time."""

    def __init__(self, **born: float) -> None:
        self.now, self.born, self.asked = 0.0, born, set()

    def resolve(self, host: str) -> None:
        self.asked.add(host)
        if self.now < self.born.get(host, 0.0):
            raise socket.gaierror(socket.EAI_NONAME, "no such name")

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def wait(service: Service, timeout: float = 0.0) -> list[str]:
    said: list[str] = []
    resolve.wait(CLUSTER, timeout, said.append, service.resolve, service.sleep)
    return said


def test_what_resolves_at_once_is_not_waited_for():
    service = Service()
    assert wait(service) == []
    assert service.asked == {"w0", "fd00::1", "w2"}, "nobody talks to an evaluator"
    assert service.now == 0


def test_it_is_said_who_is_waited_for_and_again_when_that_changes():
    said = wait(Service(w0=5, w2=70))
    assert said[0] == "waiting for worker:0 (w0), worker:2 (w2): the name does not resolve yet"
    assert [text.split(":")[1][0] for text in said[1:]] == ["2", "2"], "once more after a minute"


def test_a_short_wait_is_silent():
    assert wait(Service(w0=2)) == []


def test_patience_ends():
    with pytest.raises(BadCluster, match=r"within 9 s: .*worker:2 \(w2\)\.") as error:
        wait(Service(w2=1e9), timeout=9)
    assert "--timeout" in error.value.remedy


def test_a_name_that_can_be_none_is_said():
    with pytest.raises(BadCluster, match="is not a valid host name"):
        resolve.wait(ClusterSpec(worker=("a" * 70 + ".x:1",)), 0, print)
