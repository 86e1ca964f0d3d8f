"""Report immediately that no dispatcher of the tf.data service answers.

TensorFlow retries again and again, and reports only a log message for each attempt.
"""

from __future__ import annotations

import functools
import socket
import sys
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

from mwtutor.network.hints import network_hint
from mwtutor.system.importhook import when_imported
from mwtutor.system.wrapping import before

#: Seconds within which a dispatcher should answer.
_PATIENCE = 5.0


def install() -> None:
    when_imported("tensorflow.python.data.experimental.ops.data_service_ops", _ask_first)


def _ask_first(module: ModuleType) -> None:
    def ask(service: Any, *args: Any, **kwargs: Any) -> None:
        if isinstance(service, str):
            warn(service)

    before(module, "_register_dataset", ask)


@functools.cache
def warn(service: str) -> None:
    """Print a line if nothing answers at ``grpc://host:port``; once for each service."""
    try:
        at = urlsplit(service if "://" in service else f"grpc://{service}")
        address = (at.hostname or "", at.port or 0)
    except ValueError:  # TensorFlow itself reports an invalid address
        return
    try:
        socket.create_connection(address, timeout=_PATIENCE).close()
    except OSError as error:
        said = f"mwtutor: no dispatcher of the tf.data service answers at {service} ({error})."
        print("\n".join(filter(None, (said, network_hint(error)))), file=sys.stderr, flush=True)
