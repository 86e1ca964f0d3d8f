"""One task on Ray, as its supervisor sees it: an actor, and the output that arrives from it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.run.logs.logs import last_words
from mwtutor.run.record.events import Reported, Traceback
from mwtutor.supervisor import pipe_protocol
from mwtutor.supervisor.followed import FollowedTask
from mwtutor.system.files import open_file
from mwtutor.worker import sampling, stacks

#: Seconds for which an actor listens at a time.
_LISTEN = 5.0

#: Prefixes of the variables that tasks get from this machine, in addition to those that the launch
#: added; all others come from their node.
_OURS = ("TF_", "KERAS_", "XLA_", "MWTUTOR_")


def passed_on(env: Mapping[str, str]) -> dict[str, str]:
    """The variables that the tasks get from this machine."""
    return {
        name: value
        for name, value in env.items()
        if name.startswith(_OURS) or os.environ.get(name) != value
    }


class RayTask(FollowedTask):
    """See :mod:`mwtutor.engines.ray.task`.

    Args:
        heard: called, in a Ray thread, when something has arrived.
    """

    def __init__(
        self,
        task: TaskId,
        attempt: int,
        log: Path,
        actor: Any,
        node: str,
        heard: Callable[[RayTask, Future[bytes | None]], None],
        clock: Callable[[], float],
    ) -> None:
        super().__init__(task, attempt, log, clock)
        self.exit: int | None = None
        self._actor = actor
        self._node = node
        self._heard = heard
        self._partial = b""
        self._said: list[Reported] = []
        self._listens = False

    def start(self, command: list[str], mark: Mapping[str, str], order: Mapping[str, Any]) -> None:
        text = json.dumps(order).encode() + b"\n"
        self._listen(self._actor.start.remote(command, mark, text))

    def _listen(self, started: Any = None) -> None:
        future = self._actor.hear.remote(_LISTEN, started).future()
        future.add_done_callback(lambda done: self._heard(self, done))

    def take(self, heard: Future[bytes | None]) -> None:
        """Process the output that has arrived, or record that no more will arrive."""
        try:
            data = heard.result()
        except Exception as error:  # an exception of Ray or of its connection
            self._lose(_loss(error, self._node))
            return
        if data == b"" and self.exit is None:
            kept = f"the process that managed it on {self._node}"
            self._lose(f"was lost: {kept} has exited{self._last_words()}")
        *lines, self._partial = (self._partial + (data or b"")).split(b"\n")
        for line in lines:
            self._read(json.loads(line))
        if self.exit is None:
            self._listen()

    def _lose(self, how: str) -> None:
        self.lost = how
        self.exit = -signal.SIGKILL  # a keeper without its actor ends this way

    def _last_words(self) -> str:
        with contextlib.suppress(Exception):
            printed = self._actor.printed.remote().future().result(5.0)
            words = last_words(printed)
            return f": {words}" if words else ""
        return ""

    def _read(self, said: Mapping[str, Any]) -> None:
        if "event" in said:
            self.heard = time.monotonic()
            if (event := pipe_protocol.read_report(said["event"], self.id)) is not None:
                self._said.append(event)
        elif "file" in said:
            self._write(self.log.with_suffix(said["file"]), said["at"], said["data"])
        elif "exit" in said:
            self.exit = said["exit"]
        else:
            self._listens = True

    def _write(self, path: Path, at: int, data: str) -> None:
        answers = (stacks.answer_path(self.log), sampling.path_beside(self.log))
        known = path in answers and at == 0  # an answer replaces the last one
        with contextlib.suppress(OSError), open_file(path, "wb" if known else "ab") as file:
            file.write(data.encode("latin-1"))

    def events(self) -> Iterator[Reported]:
        said, self._said = self._said, []
        for event in said:
            if isinstance(event, Traceback):  # its positions are in this attempt's part of the log
                begin, end = event.begin + self._begins, event.end + self._begins
                event = replace(event, begin=begin, end=end)
            yield event

    def listens(self) -> bool:
        return self._listens

    def ask(self, word: str) -> None:
        self._tell(ask=word)

    def send_signal(self, number: int) -> None:
        self._sent.add(number)
        self._tell(signal=number)

    def _tell(self, **what: Any) -> None:
        if not self.ended:
            self._actor.tell.remote(json.dumps(what).encode() + b"\n")


def _loss(error: BaseException, node: str) -> str:
    """How a task was lost if its actor does not answer, in a clause that follows its name."""
    from ray.exceptions import ActorUnavailableError

    if "node has died" in str(error):
        return f"was lost: Ray reports that its node {node} has died"
    if isinstance(error, ActorUnavailableError):
        return f"was lost: Ray can no longer reach its node {node}"
    return f"was lost: its actor on node {node} has died"
