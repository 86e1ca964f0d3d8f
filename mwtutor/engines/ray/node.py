"""The keeper of one task on a Ray node: its parent process there, connected to the actor.

It starts the task, forwards what the task reports and writes, and obeys commands. When the
connection closes (the actor and the launching process no longer exist), it kills the task and every
process that the task started.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import socket
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from mwtutor import scratch
from mwtutor.cluster import TaskId
from mwtutor.run.logs import log_index
from mwtutor.supervisor.task import TaskProcess
from mwtutor.system import child, processes
from mwtutor.system.files import open_file
from mwtutor.worker import moments, sampling, stacks
from mwtutor.worker.bootstrap import TaskSpec
from mwtutor.worker.patches import generated

#: Bytes of a file to send at once.
_AT_ONCE = 1 << 16


def keep(fd: int) -> None:
    """Keep the task whose request arrives over ``fd``, until the task has ended."""
    with socket.socket(fileno=fd) as link:
        os.set_inheritable(fd, False)
        lines = link.makefile("rb", buffering=0)
        order = json.loads(lines.readline())
        processes.become_subreaper()
        with scratch.directory("mwtutor-ray-") as place:
            try:
                with contextlib.suppress(OSError):  # the other end is closed
                    _Keeper(link, order, Path(place)).watch()
            finally:
                processes.kill_children()
                generated.remove_left(Path(place))


class _Keeper:
    def __init__(self, link: socket.socket, order: dict[str, Any], place: Path) -> None:
        self._link = link
        self._partial = b""
        self._listens = False
        spec = TaskSpec.from_json(json.dumps(order["spec"]))
        name = TaskId.parse(spec.task)
        child.set_title(f"mwtutor keeper of {spec.task}")
        log = place / f"{name.type}-{name.index}.log"
        context = replace(spec.context, env={**os.environ, **spec.context.env})
        self._task = TaskProcess(name, order["port"], log, order["attempt"])
        self._sent = dict.fromkeys(_sent_on(log), (0, 0))
        self._selector = selectors.DefaultSelector()
        self._selector.register(link, selectors.EVENT_READ)
        self._task.start(
            replace(spec, log=str(log), context=context), sys.executable, (), lambda: None
        )
        self._selector.register(self._task, selectors.EVENT_READ)

    def watch(self) -> None:
        """Run until the task has ended, or the connection closes."""
        while True:
            ready = [key.fileobj for key, _ in self._selector.select(log_index.INTERVAL)]
            if self._link in ready and not self._obey():
                return
            for pid, status in processes.reap(leaders={self._task.pid: None}):
                if pid == self._task.pid:
                    self._send_news()
                    processes.kill_children()
                    self._say(exit=status)
                    return
            self._send_news()

    def _send_news(self) -> None:
        for event in self._task.events():
            self._say(event=event.record())
        if self._task.said_all and self._task in self._selector.get_map():
            self._selector.unregister(self._task)
        if not self._listens and self._task.listens():
            self._listens = True
            self._say(listens=True)
        for path in self._sent:
            with contextlib.suppress(FileNotFoundError), open_file(path) as file:
                self._send_on(path, file)

    def _send_on(self, path: Path, file: BinaryIO) -> None:
        known, at = self._sent[path]
        number = os.fstat(file.fileno()).st_ino
        file.seek(at := at if number == known else 0)  # it may have been replaced
        while data := file.read(_AT_ONCE):
            self._say(file=path.suffix, at=at, data=data.decode("latin-1"))
            at += len(data)
        self._sent[path] = number, at

    def _say(self, **what: Any) -> None:
        self._link.sendall(json.dumps(what).encode() + b"\n")

    def _obey(self) -> bool:
        """Read commands; return whether there may be more."""
        data = self._link.recv(_AT_ONCE)
        *lines, self._partial = (self._partial + data).split(b"\n")
        for line in lines:
            order = json.loads(line)
            if "signal" in order:
                self._task.send_signal(order["signal"])
            else:
                self._task.ask(order["ask"])
        return bool(data)


def _sent_on(log: Path) -> list[Path]:
    """The task's files that are read elsewhere; each grows, or is replaced."""
    return [log, moments.file(log), stacks.answer_path(log), sampling.path_beside(log)]
