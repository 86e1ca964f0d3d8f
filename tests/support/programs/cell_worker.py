"""A worker's kernel without TensorFlow: ``python -m tests.support.programs.cell_worker FILE``.

Its cells can call ``collective()``, which waits like a TensorFlow collective whose peers never
arrive: it is idle, in the file in which TensorFlow's own collectives wait, and ignores interrupts.
It ends when the worker is asked to release it.
"""

from __future__ import annotations

import logging
import signal
import sys
import threading
import time
from typing import Any

from mwtutor.worker import cell_kernel

_released = threading.Event()

#: A waiting call is recognized by its file; see :func:`mwtutor.worker.in_collective.in_collective`.
_PLACE = "/tensorflow/python/ops/gen_collective_ops.py"

_WAIT = f"""
def wait():
    while not released.is_set():
        sleep(0.01)
    raise RuntimeError({cell_kernel.RELEASED!r})
"""


class Kernel(cell_kernel.CellKernel):  # type: ignore[misc]
    def release(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        _released.set()
        self.session.send(stream, "mwtutor_release_reply", {}, parent, ident=ident)


def collective() -> None:
    names: dict[str, Any] = {"released": _released, "sleep": time.sleep}
    exec(compile(_WAIT, _PLACE, "exec"), names)
    heeded = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        names["wait"]()
    finally:
        signal.signal(signal.SIGINT, heeded)
        _released.clear()


def main() -> None:
    app = cell_kernel.CellApp.instance(
        kernel_class=Kernel,
        user_ns={"collective": collective},
        connection_file=sys.argv[1],
        capture_fd_output=False,
        outstream_class=f"{cell_kernel.__name__}.{cell_kernel.CellStream.__name__}",
        log_level=logging.ERROR,
    )
    app.config.HistoryManager.enabled = False
    app.initialize([])
    app.start()


if __name__ == "__main__":
    main()
