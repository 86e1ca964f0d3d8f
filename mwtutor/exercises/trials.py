"""Try out an exercise's folder: stub, solution, wrong solutions, answers, and mutations.

Each is judged like a learner's cell, in its own kernel, which executes the cells of the exercise's
notebook, if any. Run this only in a separate process: at the end of a trial it kills all remaining
descendants of this process.
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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from jupyter_client.manager import KernelManager

from mwtutor.exceptions import BadInput, MwtutorError, said
from mwtutor.exercises import catalogue, workspaces
from mwtutor.exercises.exercise import Exercise, Sabotage
from mwtutor.exercises.folders import (
    ANSWERS,
    SOLUTION,
    STUB,
    read_answers,
    read_wrong,
    wrong_files,
)
from mwtutor.exercises.mutations import Mutation, mutations_of
from mwtutor.exercises.notebooks import has_exercise, lacking
from mwtutor.system import processes
from mwtutor.system.runtime_dir import new_socket_dir, remove_socket_dir

#: Seconds for the setup cells, and additional seconds for the kernel itself.
_SETUP, _KERNEL = 300.0, 30.0

#: Seconds between two checks whether the kernel is alive, or a file was saved.
_LOOK = 0.5

#: Seconds within which processes that a kernel started exit by themselves.
_ENDING = 10.0

_TEMPLATE = Path(__file__).parent / "template"


@dataclass(frozen=True)
class Judged:
    """The verdict on one file.

    Attributes:
        file: its path in the folder; for an answer, also its line and description; for a mutation,
            the change.
        status, words: the verdict.
        fault: what is wrong with the verdict, a clause; empty if nothing is.
    """

    file: str
    status: str
    words: str
    fault: str = ""


@dataclass(frozen=True)
class Mutated:
    """The result of the mutations of the solution.

    Attributes:
        judged: how many were judged.
        right: the changes that the check judged right.
    """

    judged: int
    right: tuple[str, ...]


@dataclass(frozen=True)
class Untried:
    """An exercise that cannot be tested here.

    Attributes:
        why: what is missing, a clause.
    """

    why: str


def new_folder(path: Path) -> None:
    """Create the folder of a working exercise, to be tested and then changed into another one.

    Raises:
        BadInput: the folder exists already, or cannot be written.
    """
    try:
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise BadInput(f"{path} exists and is not an empty folder.", "Name a new folder.")
        shutil.copytree(
            _TEMPLATE, path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")
        )
    except (OSError, shutil.Error) as error:
        why = said(error) if isinstance(error, OSError) else "some files could not be copied"
        raise BadInput(f"{path} cannot be written: {why}.", "Name another place.") from None


def try_out(folder: Path, mutations: int, seconds: float) -> Iterator[Judged | Mutated | Untried]:
    """Judge the files of an exercise's folder, one after the other.

    Args:
        mutations: the maximum number of mutations of the solution to try.
        seconds: the time limit of a cell, and again of the cells that run it.

    Raises:
        BadInput: a part of the folder is missing or cannot be read.
        MwtutorError: the notebook's setup cells fail.
    """
    (exercise,) = catalogue.load(folder)
    wrong = [(path, one) for path in wrong_files(folder) if (one := read_wrong(path)) is not None]
    answers = read_answers(folder)
    if why := lacking(_places(folder), exercise.id):
        yield Untried(why)
        return
    with _Room(folder, exercise, seconds) as room:
        yield _expecting("not yet", room.judge(STUB, exercise.stub))
        yield _expecting("right", room.judge(SOLUTION, exercise.solution))
        verdicts: list[tuple[Judged, Sabotage]] = []
        for path, one in wrong:
            judged = room.judge(f"{path.parent.name}/{path.name}", one.code)
            verdicts.append((judged, one))
            yield _saying("wrong", one.says, judged)
        for judged, one in verdicts:
            others = [
                other.file
                for other, _ in verdicts
                if one.says in judged.words and one.says in other.words and other is not judged
            ]
            if others:
                fault = f"its words, {one.says!r}, are also in the verdict on {', '.join(others)}"
                yield Judged(judged.file, "", "", fault)
        for answer in answers:
            file = f"{ANSWERS}:{answer.line} ({answer.what})"
            yield _saying(answer.status, answer.says, room.judge(file, answer.code))
        tried = mutations_of(exercise.solution, mutations)
        survived = [one.change for one in tried if room.is_right(one)]
        yield Mutated(len(tried), tuple(survived))


def _expecting(status: str, judged: Judged) -> Judged:
    if judged.status == status:
        return judged
    return Judged(judged.file, judged.status, judged.words, f"its verdict is not {status!r}")


def _saying(status: str, says: str, judged: Judged) -> Judged:
    if judged.status != status:
        return _expecting(status, judged)
    if says in judged.words:
        return judged
    return Judged(judged.file, status, judged.words, f"its verdict lacks {says!r}")


def changes(path: Path) -> Iterator[None]:
    """Yield now, and each time a file in the folder has changed. Never ends."""
    seen = None
    while True:
        now = _state(path)
        if now != seen:
            seen = now
            yield
        time.sleep(_LOOK)


def _state(path: Path) -> dict[Path, tuple[int, int]]:
    """When each file was changed, and its size."""
    found = {}
    for file in path.rglob("*"):
        try:
            if "__pycache__" not in file.parts and file.is_file():
                status = file.stat()
                found[file] = (status.st_mtime_ns, status.st_size)
        except OSError:  # an editor replaces it
            continue
    return found


class _Room:
    """A kernel in a directory of links to the files next to the exercise's notebook."""

    def __init__(self, folder: Path, exercise: Exercise, seconds: float) -> None:
        self._seconds = seconds
        self._folder = folder.absolute()
        self._exercise = exercise
        self._where = Path(tempfile.mkdtemp(prefix="mwtutor-"))
        self._desk = self._where / "desk"
        self._sockets = new_socket_dir()  # the path of a temporary directory may be too long
        self._kernel: KernelManager | None = None
        self._client: Any = None

    def __enter__(self) -> _Room:
        self._desk.mkdir()
        places = _places(self._folder)
        place = next((one for one in places if has_exercise(one, self._exercise.id)), None)
        for entry in place.iterdir() if place is not None else ():
            if not entry.name.startswith(".") and not workspaces.is_ours(entry):
                (self._desk / entry.name).symlink_to(entry)
        return self

    def __exit__(self, *_: object) -> None:
        self._close()
        shutil.rmtree(self._where, ignore_errors=True)
        remove_socket_dir(self._sockets)

    def judge(self, file: str, code: str) -> Judged:
        if self._client is None:
            self._open()
        call = f"judge({self._exercise.id!r}, {code!r}, {self._seconds!r})"
        found = self._ask(call, 2 * self._seconds + self._exercise.seconds + _KERNEL)
        if isinstance(found, str):
            return Judged(file, **json.loads(found))
        self._close()
        return Judged(file, "not judged", found[0])

    def is_right(self, mutation: Mutation) -> bool:
        return self.judge(mutation.change, mutation.code).status == "right"

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
        return (f"The cell did not finish within {seconds:g} s, even after an interrupt.",)

    def _close(self) -> None:
        """End the kernel and everything that was started in it."""
        if self._kernel is None:
            return
        if self._client is not None:
            self._client.stop_channels()
        self._kernel.shutdown_kernel(now=True)
        self._client = self._kernel = None
        psutil.wait_procs(psutil.Process().children(recursive=True), timeout=_ENDING)
        processes.kill_children()


def _places(folder: Path) -> list[Path]:
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
