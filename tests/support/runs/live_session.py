"""A session of real workers through the Python API, and the outputs of its cells."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

from mwtutor.cluster import ClusterSize, TaskId
from mwtutor.exceptions import CellFailed
from mwtutor.run.request.options import LaunchRequest
from mwtutor.sessions import session as api
from mwtutor.sessions.result import CellResult, Output

W0, W1 = TaskId("worker", 0), TaskId("worker", 1)

#: A step with a collective, in a function that is traced once on every worker.
STEP = """
@tf.function
def step(x):
    return strategy.reduce("SUM", strategy.run(lambda v: v + 0.0, args=(x,)), axis=None)
"""


class Session:
    """A session, and the outputs of its cells."""

    def __init__(self, size: ClusterSize, **options: object) -> None:
        given = {"chief": size.chief, "ps": size.ps, "keras": "2", **options}
        request = LaunchRequest("", size.workers, **given)
        self.api = api.Session.start(request)
        self.outputs: list[tuple[TaskId, Output]] = []
        self.spent = False  # whether other tests cannot use its workers

    def run(self, code: str, *tasks: TaskId, **options: object) -> CellResult:
        self.outputs = []
        result = self.api.execute(code, tasks, listener=self, **options)
        self.spent |= bool(result.released)
        return result

    def restart(self) -> None:
        self.api.restart()
        self.spent = False

    def texts(self, task: TaskId) -> str:
        """The output of a worker, as text."""
        found = [output for name, output in self.outputs if name == task]
        return "".join(out.text or out.data.get("text/plain", "") for out in found)

    def output(self, task: TaskId, output: Output) -> None:
        self.outputs.append((task, output))

    def ended(self, task: TaskId) -> None: ...

    def tick(self) -> None: ...


def interrupt_when(path: Path) -> None:
    """Send this process SIGINT as soon as the file exists."""

    def watch() -> None:
        while not path.exists():
            time.sleep(0.02)
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=watch, daemon=True).start()


def check_on_one_line(result: CellResult) -> None:
    """Raise the result's error, if any, on one line, for patterns that would span several."""
    try:
        result.check()
    except CellFailed as error:
        raise CellFailed(str(error).replace("\n", " ")) from None
