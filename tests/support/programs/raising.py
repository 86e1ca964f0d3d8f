"""Run each program of a directory in a fork of this process, as a task does; print how it ended.

One line of JSON for each: its name, and the report on the exception that ended it, or null; with
``record``, the part of the exception that :mod:`tests.support.runs.errors` keeps.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import keras  # noqa: F401 - imported once, before the forks
import tensorflow  # noqa: F401

from mwtutor.worker import program
from mwtutor.worker.patches import first_use
from mwtutor.worker.raised import describe
from tests.support.runs.errors import recorded

#: Seconds after which a program counts as hung.
PATIENCE = 60


def ending(path: Path, channel: int) -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    for fd in (1, 2):
        os.dup2(null, fd)
    signal.alarm(PATIENCE)
    ended = program.run("script", str(path), (), prepare=first_use.install)
    told = None
    if ended.error is not None:
        told = {**describe(ended.error), "record": recorded(ended.error, path)}
    with os.fdopen(channel, "w") as stream:
        json.dump([path.stem, told], stream)


for path in sorted(Path(sys.argv[1]).glob("*.py")):
    reading, writing = os.pipe()
    if os.fork() == 0:
        try:
            ending(path, writing)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as said:
        print(said.read() or json.dumps([path.stem, {"message": "died or hung"}]))
    os.wait()
