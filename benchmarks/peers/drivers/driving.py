"""Code that drivers share. Usage: ``python DRIVER.py WORKERS KERAS``, in the program's directory.

A driver acts as a notebook's kernel would. It marks ``begun`` when everything is imported and only
the launch remains. At the end of the launch, it marks ``over``, or ``said`` if its user learned of
a failure.
"""

from __future__ import annotations

import json
import os
import runpy
import socket
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager


def mark(what: str, **more: object) -> None:
    with open(what + ".part", "w") as file:
        json.dump({"t": time.time(), "pid": os.getpid(), **more}, file)
    os.replace(what + ".part", what)


def drive(launch: Callable[[int], None]) -> None:
    """Launch and wait; the user sees a failure as an exception."""
    mark("begun")
    try:
        launch(int(sys.argv[1]))
    except BaseException as error:
        mark("said", text=f"{type(error).__name__}: {error}"[:2000])
        raise
    mark("over")


def become(where: str) -> None:
    """Execute the program in this process, as ``python main.py`` does in a new one."""
    os.chdir(where)
    runpy.run_path("main.py", run_name="__main__")


@contextmanager
def tf_configs(workers: int):
    """A ``TF_CONFIG`` for each worker, with a port that is held until the end."""
    held = [socket.socket() for _ in range(workers)]
    for one in held:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        one.bind(("", 0))
    os.environ["TF_GRPC_REUSE_PORT"] = "1"
    cluster = {"worker": [f"127.0.0.1:{one.getsockname()[1]}" for one in held]}
    try:
        yield [
            json.dumps({"cluster": cluster, "task": {"type": "worker", "index": index}})
            for index in range(workers)
        ]
    finally:
        for one in held:
            one.close()
