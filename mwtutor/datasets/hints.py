"""A hint for a program that failed because it could not download its data."""

from __future__ import annotations

import re
import socket
from types import TracebackType

from mwtutor.exceptions import chain

HINT = (
    "mwtutor: this dataset could not be downloaded. mwtutor.datasets needs no network: "
    "load_mnist() returns MNIST or, without it, embedded digits in the same format; after "
    '`import mwtutor.datasets`, tfds.load("mw_digits") returns these digits.'
)

_LOADERS = re.compile(
    r"tensorflow_datasets\b|(tf_)?keras\.(\w+\.)*(datasets|file_utils|data_utils)"
)
_NETWORK_LIBRARIES = ("requests.", "urllib3.", "urllib.error", "http.client")


def offline_hint(exc: BaseException) -> str | None:
    """A one-line hint if ``exc`` means that a dataset could not be downloaded, else None.

    Without a network, ``tfds.load(...)``, and ``keras.datasets.*.load_data()`` of Keras 2 and 3,
    raise an error with two signs: a network error somewhere in the chain of exceptions, and a
    dataset loader somewhere in their tracebacks. Either sign alone means something else: a
    program's own connection, or a dataset with another problem.
    """
    offline = any(_is_network_error(link) for link in chain(exc))
    loading = any(_passes_a_loader(link.__traceback__) for link in chain(exc))
    return HINT if offline and loading else None


def _is_network_error(exc: BaseException) -> bool:
    if isinstance(exc, ConnectionError | TimeoutError | socket.gaierror):
        return True
    # Compared by name: an exiting process should not import the libraries that define them.
    return any(kind.__module__.startswith(_NETWORK_LIBRARIES) for kind in type(exc).__mro__)


def _passes_a_loader(traceback: TracebackType | None) -> bool:
    while traceback is not None:
        if _LOADERS.match(traceback.tb_frame.f_globals.get("__name__", "")):
            return True
        traceback = traceback.tb_next
    return False
