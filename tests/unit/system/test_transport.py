"""Messages between mwtutor's processes."""

from __future__ import annotations

import fcntl
import os
import resource
import socket
import threading

import pytest

from mwtutor.system import transport


def test_messages_travel_whole_with_their_files(tmp_path):
    here, there = socket.socketpair()
    message = {"text": "ü" * 200_000}
    with here, there, open(os.devnull) as file:
        sender = threading.Thread(target=transport.send, args=(here, message, [file.fileno()]))
        sender.start()
        received, fds = transport.receive(there, max_fds=1)
        sender.join()
        assert received == message
        assert os.path.sameopenfile(fds[0], file.fileno())
        os.close(fds[0])
        here.close()
        with pytest.raises(transport.Disconnected):
            transport.receive(there)


def test_a_descriptor_above_1023_is_waited_for_as_any_other():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2000:
        pytest.skip("the system allows no descriptor above 1023")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2000), hard))
    try:
        here, there = socket.socketpair()
        high = socket.socket(fileno=fcntl.fcntl(here.fileno(), fcntl.F_DUPFD, 1500))
        with here, there, high:
            assert not transport.readable(high, 0.01)
            there.close()
            assert transport.readable(high, 1e12)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
