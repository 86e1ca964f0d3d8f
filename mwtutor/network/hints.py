"""Hints for a program that failed because its network is private."""

from __future__ import annotations

import os
import re

from mwtutor.exceptions import chain
from mwtutor.network import PRIVATE_ENV

LOCALHOST = (
    "mwtutor: this run has its own network, in which localhost is the run itself. To reach a"
    " server on this machine, launch with --network host."
)
OTHERS = (
    "mwtutor: only web traffic (HTTP and HTTPS, through a proxy) leaves this run's private"
    " network. For anything else, launch with --network host."
)

#: The C library's wording, which its callers repeat.
_REFUSED = re.compile(r"\[Errno 111\]|Connection refused|which a private network cannot reach")
_NOWHERE = re.compile(
    r"Network is unreachable|No route to host|Name or service not known"
    r"|Temporary failure in name resolution|nodename nor servname"
)

#: The relay was reached, so the failure lies beyond it.
_BEYOND = re.compile(r"Tunnel connection failed: 50\d")


def network_hint(error: BaseException | None) -> str:
    """A hint about an error that ended a program or a cell in a private network; may be empty.

    TensorFlow's own errors are excluded: they mean that a task lost a peer.
    """
    if not os.environ.get(PRIVATE_ENV):
        return ""
    said = "\n".join(
        _text(link) for link in chain(error) if not type(link).__module__.startswith("tensorflow")
    )
    if _BEYOND.search(said):
        return ""
    if _REFUSED.search(said):
        return LOCALHOST
    return OTHERS if _NOWHERE.search(said) else ""


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # a program's exception may raise in ``__str__``
        return ""
