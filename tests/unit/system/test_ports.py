"""Ports are held from the choice to the release, and only a task that shares them can use them."""

import socket

import pytest

from mwtutor.system.ports import HeldPorts, listens


def bind(port: int, reuse: bool, family: int = socket.AF_INET6) -> socket.socket:
    other = socket.socket(family, socket.SOCK_STREAM)
    if reuse:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    if family == socket.AF_INET6:
        other.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    try:
        other.bind(("", port))
        other.listen()
    except OSError:
        other.close()
        raise
    return other


def test_a_task_gets_in_beside_the_holder_and_a_stranger_does_not():
    with HeldPorts(2) as held:
        with bind(held.numbers[0], reuse=True):
            pass
        for family in (socket.AF_INET, socket.AF_INET6):
            with pytest.raises(OSError, match="in use"):
                bind(held.numbers[1], reuse=False, family=family)
    with bind(held.numbers[1], reuse=False):
        pass


def test_nobody_is_given_a_held_port_again():
    held = [HeldPorts(20) for _ in range(20)]
    try:
        numbers = [number for ports in held for number in ports.numbers]
        assert len(set(numbers)) == 400
    finally:
        for ports in held:
            ports.release()


def test_who_listens_is_seen_from_elsewhere():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{server.getsockname()[1]}"
        assert not listens(address)
        server.listen()
        assert listens(address)
    assert not listens("[::1]:none")
