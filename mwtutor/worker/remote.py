"""The life of a task on a machine other than its supervisor's; the two share the run's directory.

Files replace pipes: the task appends its events to one, and the supervisor its requests to another.
A growing file is checked once a second.
"""

from __future__ import annotations

import _thread
import os
import time
from pathlib import Path
from typing import NoReturn

from mwtutor.system import child
from mwtutor.system.files import open_fd, open_file, read
from mwtutor.worker import bootstrap

#: The beginning of a task's first line, which names its job and step.
STEP = b"step "

#: Seconds between two checks for requests.
_LOOK = 1.0


def events(place: Path) -> Path:
    """The file for the events of the task whose request is at ``place``."""
    return place.with_suffix(".events")


def asks(place: Path) -> Path:
    """The file for requests to the task."""
    return place.with_suffix(".asks")


def run(place: Path) -> NoReturn:
    """Become the task whose request is at ``place``, in a new interpreter."""
    spec = bootstrap.TaskSpec.from_json(read(place))
    os.environ.update(spec.context.env)
    child.redirect(spec.log)
    os.chdir(spec.context.cwd)
    child.set_title_where_others_look(spec.title)
    child.fresh_state()
    said = open_fd(events(place), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    number = f"{os.environ.get('SLURM_JOB_ID', '')}.{os.environ.get('SLURM_STEP_ID', '')}"
    os.write(said, STEP + number.encode() + b"\n")
    requests, hand_on = os.pipe()
    _thread.start_new_thread(_hand_on, (asks(place), hand_on))
    bootstrap.run_with(spec, said, requests)


def _hand_on(path: Path, to: int) -> None:
    at = 0
    while True:
        time.sleep(_LOOK)
        try:
            with open_file(path) as file:
                file.seek(at)
                words = file.read()
            at += len(words)
            if words:
                os.write(to, words)
        except FileNotFoundError:
            continue
        except OSError:
            return
