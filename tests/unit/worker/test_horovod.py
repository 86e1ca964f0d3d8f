"""How Horovod ranks meet, as far as this can be tested without Horovod."""

from __future__ import annotations

import threading

import pytest

from mwtutor.system.ports import HeldPorts
from mwtutor.worker.horovod import WrongSize, await_listener, check_size, listen


@pytest.mark.parametrize(
    ("size", "gloo", "says"), [(1, False, "built without Gloo"), (2, True, "HOROVOD_SIZE")]
)
def test_another_size_is_an_error_with_its_reason(size, gloo, says):
    with pytest.raises(WrongSize, match=rf"hvd.size\(\) is {size}, but 4 processes.*{says}"):
        check_size(size, 4, gloo=gloo)


def test_the_right_size_is_none():
    check_size(4, 4, gloo=True)


def test_a_rank_waits_for_the_one_that_listens_on_a_port_that_is_held():
    with HeldPorts(1) as held:
        waiting = threading.Thread(target=await_listener, args=(held.addresses[0],), daemon=True)
        waiting.start()
        waiting.join(0.2)
        assert waiting.is_alive()
        with listen(held.addresses[0]):
            waiting.join(10)
            assert not waiting.is_alive()
