"""A separate folder for each lesson, next to the notebook, empty at the beginning of the lesson."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import sys
from pathlib import Path

from mwtutor import find_runs
from mwtutor.devices.gpus import VISIBLE, find
from mwtutor.devices.placement import NO_DEVICE
from mwtutor.exceptions import BadInput, message_of
from mwtutor.run.record.paths import working_directory
from mwtutor.run.record.store import Store
from mwtutor.run.request.option_kinds import Text
from mwtutor.run.run import Run
from mwtutor.sessions.session import Sessions
from mwtutor.singletons import singleton
from mwtutor.system import files, processes

#: A file in a workspace that marks its content as removable.
MARK = ".mwtutor-workspace"

_MARKED = b"A workspace of mwtutor: %mw_workspace empties this folder.\n"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")


class Desk:
    """The directories of this process.

    Attributes:
        home: the notebook's directory, in which workspaces are created.
        folder: the workspace; None if there is none.
        visible: the value of ``CUDA_VISIBLE_DEVICES`` before a workspace hid the GPUs.
    """

    def __init__(self) -> None:
        self.home = _outside(working_directory())
        self.folder: Path | None = None
        self.visible = os.environ.get(VISIBLE)


def home() -> Path:
    """The notebook's directory, as far as known."""
    return singleton(Desk).home


def folder() -> Path:
    """The workspace, or else the current directory."""
    return singleton(Desk).folder or working_directory()


def is_made() -> bool:
    """Whether this process works in a workspace."""
    return singleton(Desk).folder is not None


def workspace(name: str, beside: Path | None = None, *, gpus: bool = False) -> Path:
    """Create an empty folder, and make it the working directory.

    An existing workspace is emptied, after stopping the runs in it that this process launched.
    Calling this function again gives the same folder, even if the current directory has changed.

    Programs launched afterward compute on the CPU and show TensorFlow's messages, so numbers and
    outputs are those with which the lesson was checked: GPUs are hidden (in
    ``CUDA_VISIBLE_DEVICES``), and ``TF_CPP_MIN_LOG_LEVEL`` is removed from the environment.

    Args:
        name: the folder's name, for example ``lesson-03``.
        beside: the directory that contains it; by default, the one in which the process started.
        gpus: whether GPUs stay visible.

    Raises:
        BadInput: the name is not valid, the folder is not mwtutor's or is in use, or it cannot be
            written.
    """
    name = Text().check(name, "The name of a workspace")
    if not _NAME.fullmatch(name):
        raise BadInput(
            f"{name!r} is not the name of a workspace.",
            "Use only letters, digits, - and _, for example lesson-03. The workspace is created"
            " next to the notebook.",
        )
    desk = singleton(Desk)
    if beside is not None:
        desk.home = _outside(beside)
    path = desk.home / name
    try:
        _check_ours(path)
        _end_runs(path)
        _forget_modules([one for one in (path, desk.folder) if one is not None])
        _make_empty(path)
        os.chdir(path)
    except OSError as error:
        raise BadInput(
            f"The workspace {name} cannot be created in {desk.home}: {message_of(error)}.",
            "Copy the notebook to a directory where you can write, and open it there.",
        ) from None
    desk.folder = path
    os.environ.pop("TF_CPP_MIN_LOG_LEVEL", None)
    _set_visible(desk.visible if gpus or not find().gpus else NO_DEVICE)
    return path


def _set_visible(devices: str | None) -> None:
    if devices is None:
        os.environ.pop(VISIBLE, None)
    else:
        os.environ[VISIBLE] = devices


def is_ours(path: Path) -> bool:
    """Whether the folder contains this user's mark."""
    try:
        with files.open_file(path / MARK) as mark:
            ours = os.fstat(mark.fileno()).st_uid == os.geteuid()
            return ours and mark.read(len(_MARKED) + 1) == _MARKED
    except OSError:
        return False


def _outside(directory: Path) -> Path:
    """The directory, or its parent if it is a workspace itself: workspaces are not nested."""
    return directory.parent if is_ours(directory) else directory


def _check_ours(path: Path) -> None:
    remedy = "Choose another name, or rename the existing file or folder."
    if path.is_symlink():
        raise BadInput(f"{path.name} is a link to another place, and is left unchanged.", remedy)
    if not path.exists():
        return
    if not path.is_dir():
        raise BadInput(f"{path.name} is a file, and is left unchanged.", remedy)
    # A process that was killed between creating the folder and marking it left it empty.
    if path.stat().st_uid != os.geteuid() or not (is_ours(path) or not os.listdir(path)):
        raise BadInput(f"%mw_workspace did not create the folder {path.name}.", remedy)


def _end_runs(path: Path) -> None:
    """Stop this process's runs in the folder; it must not stop other processes' runs."""
    here = [run for run in find_runs.runs(Store(path)) if run.directory.is_relative_to(path)]
    going = [run for run in here if run.outcome is None]
    own = list(singleton(find_runs.Runs))
    for run in going:
        if run not in own:
            raise BadInput(
                f"{run.name} is running in {path.name}: {_whose(run)}.",
                f"Wait for it to end, or stop it there: cd {path.name} && mwtutor stop {run.name}",
            )
    sessions = singleton(Sessions)
    for session in [one for one in sessions if one.run.directory.is_relative_to(path)]:
        session.stop()
        sessions.remove(session)
    for run in going:
        run.stop("its workspace was emptied")


def _whose(run: Run) -> str:
    pid, started = run.spec.launcher
    if run.is_foreign:
        return "it belongs to another user"
    if processes.alive(pid, started):
        return f"process {pid}, perhaps another notebook, launched it"
    return "another process launched it"


def _forget_modules(folders: list[Path]) -> None:
    """Remove modules imported from there: later, their files may be gone or another lesson's."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and any(Path(file).is_relative_to(one) for one in folders):
            del sys.modules[name]
    importlib.invalidate_caches()


def _make_empty(path: Path) -> None:
    path.mkdir(exist_ok=True)
    if not is_ours(path):
        files.append(path / MARK, _MARKED)
    for entry in list(os.scandir(path)):
        if entry.name == MARK:
            continue
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        else:
            os.unlink(entry.path)
    files.append(path / ".gitignore", b"*\n")
