"""Open TensorBoard for some runs, show it, and close it."""

from __future__ import annotations

import importlib.util
import os
import secrets
import signal
import socket
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mwtutor import find_runs
from mwtutor.board.files import MOST
from mwtutor.engines.local import forkserver_client
from mwtutor.exceptions import BadInput, LaunchFailed, NotSupported
from mwtutor.run.logs.logs import last_words
from mwtutor.run.request.option_kinds import short_repr
from mwtutor.run.run import Run
from mwtutor.singletons import singleton
from mwtutor.system import processes, transport
from mwtutor.system.files import unnamed_file

#: Seconds that TensorBoard may take to start.
STARTING = 120.0

#: Seconds in which TensorBoard must exit and remove its files. Otherwise mwtutor kills it, and the
#: next TensorBoard removes the files.
ENDING = 5.0

#: Environment variables for reaching a web server through the notebook's server. TensorBoard's
#: magic also reads the first; JupyterHub sets the second.
_PROXY, _HUB = "TENSORBOARD_PROXY_URL", "JUPYTERHUB_SERVICE_PREFIX"


@dataclass(frozen=True)
class Found:
    """The data of one run that TensorBoard shows when it opens; later data is added.

    Attributes:
        histories: the tasks whose metrics TensorBoard draws, each with the number of its attempt
            unless that is the first.
        directories: where the program wrote event files, relative to its working directory.
        looked: whether mwtutor searches for event files; it does not do so for a read-only run.
        looked_everywhere: whether the whole working directory was searched.
    """

    histories: tuple[str, ...]
    directories: tuple[str, ...]
    looked: bool
    looked_everywhere: bool


class Board:
    """A TensorBoard that lives as long as this process, or until it is closed.

    Attributes:
        address: the URL for a browser on this machine. Only someone who knows the whole URL sees
            anything there.
        found: the data that it shows about each run, by the run's label.
    """

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = tuple(runs)
        self._prefix = secrets.token_urlsafe(16)
        self._owner, theirs = socket.socketpair()
        output = unnamed_file()
        try:
            with theirs:
                self._process = forkserver_client.start_process("tensorboard", theirs, output)
            # Forks of this process must not keep TensorBoard alive.
            os.register_at_fork(after_in_child=self._owner.close)
            order = {"runs": [run.spec.directory for run in runs], "prefix": self._prefix}
            transport.send(self._owner, order)
            if not transport.readable(self._owner, STARTING):
                raise transport.Disconnected(f"it did not answer within {STARTING:.0f} s")
            answer: dict[str, Any] = transport.receive(self._owner)[0]
        except transport.Disconnected:
            self._owner.close()
            why = last_words(os.pread(output.fileno(), 1 << 16, 0)) or "it gave no reason"
            raise LaunchFailed(
                f"TensorBoard could not be started: {why}.",
                "Check the installation: python -m tensorboard.main --version_tb",
            ) from None
        except BaseException:
            self._owner.close()
            raise
        finally:
            output.close()
        self._port: int = answer["port"]
        self.address = f"http://127.0.0.1:{self._port}/{self._prefix}/"
        self.found: Mapping[str, Found] = {
            label: Found(
                tuple(seen["histories"]),
                tuple(seen["directories"]),
                seen["looked"],
                seen["looked_everywhere"],
            )
            for label, seen in answer["shows"].items()
        }

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def halted(self) -> bool:
        """Whether a signal (SIGSTOP) has suspended it."""
        return processes.is_halted(self._process.pid)

    @property
    def frame_address(self) -> str:
        """The URL for a notebook's page; it leads through the notebook's server if there is one."""
        if proxy := os.environ.get(_PROXY):
            return f"{proxy.replace('%PORT%', str(self._port)).rstrip('/')}/{self._prefix}/"
        if hub := os.environ.get(_HUB):  # this needs jupyter-server-proxy
            return f"{hub.rstrip('/')}/proxy/{self._port}/{self._prefix}/"
        return self.address

    def wait(self) -> None:
        """Wait until TensorBoard has exited."""
        self._process.wait()

    def close(self) -> None:
        """Stop TensorBoard; it removes its files before it exits."""
        self._owner.close()
        self._process.send_signal(signal.SIGCONT)  # a suspended process would not react
        try:
            self._process.wait(ENDING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __repr__(self) -> str:
        lines = [f"TensorBoard: {self.frame_address}"]
        lines += [f"  {label}: {words(seen)}" for label, seen in self.found.items()]
        return "\n".join(
            [*lines, "TensorBoard shows new data during runs, and stops when this process ends."]
        )

    def _repr_html_(self) -> str:
        from mwtutor.markup import frame

        return frame(self.frame_address, repr(self), "TensorBoard")


def words(found: Found) -> str:
    """The data that TensorBoard shows about a run, in a few words."""
    parts = [f"the history of {', '.join(found.histories)}"] if found.histories else []
    if found.directories:
        parts.append(f"the program's event files in {', '.join(found.directories)}")
    if not found.looked:
        parts.append("(the run is read-only, so its event files are not opened)")
    if not found.looked_everywhere:
        parts.append(f"(only {MOST} directories were searched for event files)")
    return ", ".join(parts) or "nothing yet"


class Boards(list[Board]):
    """The TensorBoards that this process has opened."""


def tensorboard(*runs: Run | str) -> Board:
    """Open TensorBoard to show the histories and event files of runs side by side.

    It reads the metrics that mwtutor recorded for every task, the event files that the program
    writes below its working directory, and the traces next to them; new data appears during the
    run. It can be reached only from this machine, and only with its whole URL. It stops when this
    process ends. If a TensorBoard already shows the same runs, that one is returned.

    Args:
        runs: runs, or names or ids of runs; without any, the one that is running, or the latest.

    Raises:
        NoRun: there is no such run.
        NotSupported: TensorBoard is not installed.
        LaunchFailed: it did not start.
    """
    if strange := [run for run in runs if not isinstance(run, (Run, str))]:
        raise BadInput(f"{short_repr(strange[0])} is not a run.", "Pass runs, or names of runs.")
    chosen = [run if isinstance(run, Run) else find_runs.find(run) for run in runs or ("",)]
    chosen = list({run.directory: run for run in chosen}.values())
    if importlib.util.find_spec("tensorboard") is None:
        raise NotSupported(
            "TensorBoard is not installed for this Python (TensorFlow 2.21 and later do not include"
            " it).",
            "Install it: pip install tensorboard",
        )
    for board in singleton(Boards):
        if board.alive and board.halted:
            board.close()
        elif board.alive and [run.directory for run in board.runs] == [r.directory for r in chosen]:
            return board
    board = Board(chosen)
    singleton(Boards).append(board)
    return board


def close_all() -> int:
    """Close every TensorBoard of this process; return how many there were."""
    boards = [board for board in singleton(Boards) if board.alive]
    for board in boards:
        board.close()
    singleton(Boards).clear()
    return len(boards)
