"""Messages between our processes."""

from __future__ import annotations

import os
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
