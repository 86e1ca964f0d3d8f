"""The connection to the kernel inside one worker: it sends requests and receives messages."""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
import uuid
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import zmq
from jupyter_client.connect import ConnectionFileMixin
from traitlets import Instance

from mwtutor.cluster import TaskId
from mwtutor.run.logs.graph_frames import fold
from mwtutor.sessions.result import ANSI, CellError, Output
from mwtutor.system import child

#: Prefix of MIME types that only a widget's own kernel can show.
_WIDGET = "application/vnd.jupyter.widget"

#: Shown next to a widget's text.
_NO_WIDGETS = "a worker's widget cannot be shown: create it in the notebook, and %mw_push its value"

#: The public names of exceptions that are internal to Python 3.13.
_PUBLIC_NAMES = {"_IncompleteInputError": "SyntaxError"}

#: Seconds after a cell's reply within which the rest of its output must arrive.
_STRAGGLING = 2.0


def write_connection(directory: Path, task: TaskId, key: str) -> None:
    """Decide in advance where a task's kernel listens, and the key that signs its messages."""
    name = f"{task.type}-{task.index}"
    channels = ("shell", "iopub", "stdin", "control", "hb")
    info = {
        "transport": "ipc",
        "ip": str(directory / name),
        "key": key,
        "signature_scheme": "hmac-sha256",
        **{f"{channel}_port": number for number, channel in enumerate(channels, 1)},
    }
    fd = os.open(directory / f"{name}.json", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(fd, "w") as file:
        json.dump(info, file)


def new_key() -> str:
    return uuid.uuid4().hex


class _Client(ConnectionFileMixin):
    """A kernel client. The one in jupyter_client 7, as on Colab, accepts only asyncio sockets."""

    context = Instance(zmq.Context)


class WorkerLink:
    """One worker's kernel, and the cell it is executing."""

    def __init__(self, task: TaskId, directory: Path, context: zmq.Context[Any]) -> None:
        self.task = task
        client = _Client(context=context)
        client.load_connection_file(str(directory / f"{task.type}-{task.index}.json"))
        self._session = client.session
        self._connect = client.connect_shell
        self.shell = client.connect_shell()
        self.iopub = client.connect_iopub()
        self._control = client.connect_control()
        self._message = ""
        self._replied_at = 0.0
        self._idle = True
        self.error: CellError | None = None

    @property
    def busy(self) -> bool:
        """Whether the cell is still running, or has output that has not arrived."""
        if not self._message:
            return False
        straggling = self._replied_at and time.monotonic() - self._replied_at < _STRAGGLING
        return not self._replied_at or bool(not self._idle and straggling)

    def execute(self, code: str, wish: Mapping[str, Any]) -> None:
        """Start executing a cell as ``wish`` describes, see :mod:`mwtutor.worker.cell_kernel`."""
        content = {
            "code": code,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": False,
        }
        self.error, self._replied_at, self._idle = None, 0.0, False
        sent = self._session.send(
            self.shell, "execute_request", content, metadata={"mwtutor": dict(wish)}
        )
        self._message = sent["header"]["msg_id"]

    def outputs(self, heard: Container[Any] | None = None) -> Iterator[Output]:
        """The outputs since the last call, up to the end of the cell.

        Args:
            heard: the sockets known to have messages; by default, every socket is read.
        """
        if heard is None or self.iopub in heard:
            yield from self._published()
        if heard is None or self.shell in heard:
            self._take_replies()

    def _published(self) -> Iterator[Output]:
        while (message := self._receive(self.iopub, passing_over=b".execute_input")) is not None:
            if not message or message["parent_header"].get("msg_id") != self._message:
                continue
            content = message["content"]
            if message["msg_type"] == "status":
                self._idle = content["execution_state"] == "idle"
            elif message["msg_type"] == "error":
                self._note_error(message)
            elif (output := _output(message["msg_type"], content)) is not None:
                yield output

    def _take_replies(self) -> None:
        while (message := self._receive(self.shell)) is not None:
            if message["parent_header"].get("msg_id") == self._message:
                self._replied_at = time.monotonic()
                if message["content"].get("status") == "error":
                    self._note_error(message)

    def request(
        self, verb: str, content: Any, buffers: Sequence[Any] = (), timeout: float = 60.0
    ) -> Any:
        """Ask the kernel between cells; return the whole reply, or None if it is late."""
        return self._ask(self.shell, verb, content, buffers, timeout)

    def ask(self, verb: str, timeout: float = 0.3) -> Any:
        """Ask the thread that answers while a cell is running."""
        reply = self._ask(self._control, verb, {}, (), timeout)
        return None if reply is None else reply["content"]

    def look_up(self, verb: str, content: Any, timeout: float) -> Any:
        """Ask the kernel between cells, from any thread; None if it is busy or late."""
        if self.busy:
            return None
        with contextlib.suppress(zmq.ZMQError):  # the session is being closed
            socket = self._connect()
            try:
                reply = self._ask(socket, verb, content, (), timeout)
                return None if reply is None else reply["content"]
            finally:
                socket.close(linger=0)
        return None

    def interrupt(self) -> None:
        self._session.send(self._control, "interrupt_request", {})

    def ready(self) -> bool:
        """Whether the kernel answers and its output reaches this process."""
        self._session.send(self.shell, "kernel_info_request", {})
        heard = bool(self.iopub.poll(50))
        while self._receive(self.iopub) is not None:
            pass
        answered = False
        while self._receive(self.shell) is not None:
            answered = True
        return heard and answered

    def close(self) -> None:
        for socket in (self.shell, self.iopub, self._control):
            socket.close(linger=0)

    def send(self, verb: str, content: Any) -> str:
        """Ask the kernel between cells, without waiting; return the id for :meth:`answer`."""
        return str(self._session.send(self.shell, verb, content)["header"]["msg_id"])

    def answer(self, question: str, timeout: float) -> Any:
        """The reply to a request, or None if it is late."""
        return self._reply_to(question, self.shell, timeout)

    def _ask(
        self, socket: Any, verb: str, content: Any, buffers: Sequence[Any], timeout: float
    ) -> Any:
        sent = self._session.send(socket, verb, content, buffers=list(buffers))
        return self._reply_to(sent["header"]["msg_id"], socket, timeout)

    def _reply_to(self, question: str, socket: Any, timeout: float) -> Any:
        deadline = time.monotonic() + timeout
        while (left := deadline - time.monotonic()) > 0 and socket.poll(left * 1000):
            message = self._receive(socket)
            if message and message["parent_header"].get("msg_id") == question:
                return message
        return None

    def _receive(self, socket: Any, passing_over: bytes = b"-") -> Any:
        """The next message or None; a message published under ``passing_over`` becomes empty."""
        try:
            parts = socket.recv_multipart(zmq.NOBLOCK)
        except zmq.Again:
            return None
        idents, parts = self._session.feed_identities(parts)
        if idents and idents[0].endswith(passing_over):
            return {}
        return self._session.deserialize(parts)

    def _note_error(self, message: Mapping[str, Any]) -> None:
        """Merge the published error with the reply, in either order; one of them has the advice."""
        content = message["content"]
        name = str(content.get("ename", "Error"))
        error = self.error or CellError(
            _PUBLIC_NAMES.get(name, name),
            str(content.get("evalue", "")),
            tuple(map(fold, filter(_is_the_cells, content.get("traceback", ())))),
            at=message["header"]["date"].timestamp(),
        )
        told = content.get("mwtutor_told", {"message": error.told, "advice": error.advice})
        self.error = replace(error, told=str(told["message"]), advice=str(told["advice"]))


def _is_the_cells(frame: str) -> bool:
    """Whether a traceback entry belongs to the cell or code that it calls, not to its caller."""
    named = re.match(r"\s*File \"?(.+?\.py)\b", ANSI.sub("", frame))
    place = os.path.expanduser(named[1]) if named else ""  # IPython shortens the path
    return "/ipykernel/" not in place and not place.startswith(child.OURS)


def _without_widgets(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """A display without its widget, which exists only in the worker."""
    kept = {kind: one for kind, one in data.items() if not kind.startswith(_WIDGET)}
    if len(kept) < len(data):
        kept["text/plain"] = f"{kept.get('text/plain', 'A widget')} ({_NO_WIDGETS})"
    return kept


def _output(kind: str, content: Mapping[str, Any]) -> Output | None:
    if kind == "stream":
        return Output("stderr" if content["name"] == "stderr" else "stdout", content["text"])
    if kind in ("display_data", "execute_result", "update_display_data"):
        return Output(
            "update" if kind == "update_display_data" else "display",
            data=_without_widgets(content["data"]),
            metadata=content.get("metadata", {}),
            display_id=content.get("transient", {}).get("display_id", ""),
        )
    if kind == "clear_output":
        return Output("clear", wait=bool(content.get("wait")))
    return None
