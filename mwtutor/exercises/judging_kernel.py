"""A kernel that judges one exercise, with the cells of its notebook, in its own directory.

Use this only in a separate process, which is a subreaper: when a kernel is closed, all remaining
descendants of this process are killed.
"""

from __future__ import annotations

import ast
import contextlib
import json
import queue
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from jupyter_client.manager import KernelManager

from mwtutor.exceptions import MwtutorError
from mwtutor.exercises import workspaces
from mwtutor.exercises.exercise import Exercise, Verdict
from mwtutor.exercises.notebooks import has_exercise
from mwtutor.system import processes
from mwtutor.system.runtime_dir import new_socket_dir, remove_socket_dir

#: Seconds for the setup cells, and additional seconds for the kernel itself.
_SETUP, _KERNEL = 300.0, 30.0

#: Seconds between two checks of whether the kernel is alive, and within its limits.
_LOOK = 0.2

#: Seconds within which processes that a kernel started exit by themselves.
_ENDING = 10.0


@dataclass(frozen=True)
class Limits:
    """The resources that the code in a room may use; code that uses more is stopped.

    Attributes:
        seconds: for the exercise's cell, and again for the cells that run it.
        memory: bytes of all processes together.
        processes: the maximum number of processes.
        disk: bytes that must stay free on the disk with the rooms' directories.
    """

    seconds: float
    memory: int | None = None
    processes: int | None = None
    disk: int | None = None

    def longest(self, exercise: Exercise) -> float:
        """The seconds that a room may take, with its setup."""
        return _SETUP + 2 * self.seconds + exercise.seconds + 2 * _KERNEL

    def exceeded(self) -> str:
        """Which limit the descendants of this process exceed, as a clause; empty if none."""
        if full := self.disk_full():
            return full
        if self.memory is self.processes is None:
            return ""
        found = psutil.Process().children(recursive=True)
        if self.processes is not None and len(found) > self.processes:
            return f"it had more than {self.processes} processes"
        # Resident memory is quick to read, but counts shared memory once for each process.
        if self.memory is not None and all(
            sum(map(measure, found)) > self.memory for measure in (_resident, _own)
        ):
            return f"it used more than {self.memory / 2**30:.3g} GiB of memory"
        return ""

    def disk_full(self) -> str:
        """A clause that says that too little of the disk is free; empty if enough is."""
        if self.disk is None or shutil.disk_usage(tempfile.gettempdir()).free >= self.disk:
            return ""
        return f"less than {self.disk / 2**30:.3g} GiB is free for temporary files"


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:  # the process has exited
        return 0


def _own(process: psutil.Process) -> int:
    """The memory that only the process uses, and its share of shared memory, if known."""
    try:
        memory = process.memory_full_info()
    except psutil.Error:
        return 0
    return int(getattr(memory, "pss", memory.uss))


class Room:
    """A kernel in a directory of links to the files next to the exercise's notebook.

    Args:
        folder: the exercise's folder.
    """

    def __init__(self, folder: Path, exercise: Exercise, limits: Limits) -> None:
        self._limits = limits
        self._folder = folder.absolute()
        self._exercise = exercise
        self._where = Path(tempfile.mkdtemp(prefix="mwtutor-"))
        self._desk = self._where / "desk"
        self._sockets = new_socket_dir()  # the path of a temporary directory may be too long
        self._kernel: KernelManager | None = None
        self._client: Any = None

    def __enter__(self) -> Room:
        self._desk.mkdir()
        places = places_of(self._folder)
        place = next((one for one in places if has_exercise(one, self._exercise.id)), None)
        for entry in place.iterdir() if place is not None else ():
            if not entry.name.startswith(".") and not workspaces.is_ours(entry):
                (self._desk / entry.name).symlink_to(entry)
        return self

    def __exit__(self, *_: object) -> None:
        self._close()
        shutil.rmtree(self._where, ignore_errors=True)
        remove_socket_dir(self._sockets)

    def judge(self, code: str) -> Verdict:
        """The verdict on the content of the exercise's cell.

        Raises:
            MwtutorError: the notebook's setup cells fail.
        """
        if self._client is None:
            self._open()
        seconds = self._limits.seconds
        call = f"judge({self._exercise.id!r}, {code!r}, {seconds!r})"
        found = self._ask(call, 2 * seconds + self._exercise.seconds + _KERNEL)
        if isinstance(found, str):
            return Verdict(**json.loads(found))
        self._close()
        return Verdict("not judged", found[0])

    def _open(self) -> None:
        socket, connection = str(self._sockets / "kernel"), str(self._where / "kernel.json")
        self._kernel = KernelManager(transport="ipc", ip=socket, connection_file=connection)
        null = subprocess.DEVNULL
        self._kernel.start_kernel(cwd=str(self._desk), stdout=null, stderr=null)
        self._client = self._kernel.blocking_client()
        self._client.start_channels(iopub=False, stdin=False, hb=False)
        call = f"prepare({str(self._folder)!r}, {self._exercise.id!r}, {_SETUP!r})"
        failed = self._ask(call, _SETUP + _KERNEL)
        if failed:
            self._close()
            why = failed if isinstance(failed, str) else failed[0]
            raise MwtutorError(
                f"The notebook of {self._exercise.id} cannot be set up. {why}",
                "Correct its cells tagged setup, or the modules that the exercise's check imports.",
            )

    def _ask(self, call: str, seconds: float) -> str | tuple[str]:
        """The result of a function of :mod:`trial_cells`; or, in a tuple, why there is none."""
        code = "%load_ext mwtutor\nfrom mwtutor.exercises import trial_cells as __mw_cells\n"
        code += f"__mw_answer = __mw_cells.{call}"
        wanted = {"answer": "__mw_answer"}
        asked = self._client.execute(
            code, silent=True, store_history=False, user_expressions=wanted
        )
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with contextlib.suppress(queue.Empty):
                reply = self._client.get_shell_msg(timeout=_LOOK)
                if reply["parent_header"].get("msg_id") == asked:
                    return _answer(reply["content"])
                continue
            if self._kernel is not None and not self._kernel.is_alive():
                return ("The cell ended the kernel.",)
            if excess := self._limits.exceeded():
                return (f"The cell was stopped because {excess}.",)
        return (f"The cell did not finish within {seconds:g} s, even after an interrupt.",)

    def _close(self) -> None:
        """Stop the kernel and everything that was started in it."""
        if self._kernel is None:
            return
        if self._client is not None:
            self._client.stop_channels()
        self._kernel.shutdown_kernel(now=True)
        self._client = self._kernel = None
        psutil.wait_procs(psutil.Process().children(recursive=True), timeout=_ENDING)
        processes.kill_children()


def places_of(folder: Path) -> list[Path]:
    """The directories where the notebook of an exercise may be."""
    folder = folder.absolute()
    return [folder, *list(folder.parents)[:2]]


def _answer(content: dict[str, Any]) -> str | tuple[str]:
    if content["status"] != "ok":
        return (f"{content.get('ename', content['status'])}: {content.get('evalue', '')}",)
    answer = content["user_expressions"]["answer"]
    if answer["status"] != "ok":
        return (f"{answer['ename']}: {answer['evalue']}",)
    return str(ast.literal_eval(answer["data"]["text/plain"]))
