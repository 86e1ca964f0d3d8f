"""08-3: three checkpoints, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import each_worker

_DIRECTORY = "os.path.abspath(manager.directory)"
_EPOCHS = "int(epoch.numpy())"
_NET = "net.numpy().tobytes().hex()"

SESSION = (_DIRECTORY, _EPOCHS, _NET)

#: The names of the files that a manager writes.
_OF_A_MANAGER = re.compile(r"checkpoint$|.*\.(index|data-\d+-of-\d+)$")

#: Epochs of the two starts, and how many checkpoints are to be kept.
_FIRST, _SECOND, _KEPT = 4, 3, 3


def check(work: Work) -> Verdict:
    epochs, places = each_worker(work, _EPOCHS), each_worker(work, _DIRECTORY)
    if len(epochs) < 2 or not all(isinstance(one, int) for one in epochs):
        return not_yet("Nothing was trained.")
    if not places:
        return not_yet("`begin` returned no manager.")
    if len(places) < 2:
        return wrong(
            "Only one worker has a manager, so only one saves. That works until saving a variable"
            " sums it over the workers: then this worker waits for the other forever."
        )
    if places[0] == places[1]:
        return wrong("Both managers write to the same directory, and each removes files there.")
    if fault := _restored(epochs, len(set(each_worker(work, _NET))) == 1):
        return wrong(fault)
    return _judge_files(work)


def _restored(epochs: list[int], equal: bool) -> str:
    told = f"After both starts `epoch` is {epochs[0]} on worker:0 and {epochs[1]} on worker:1"
    if epochs[0] != epochs[1] and _SECOND in epochs:
        other = epochs.index(_SECOND)
        return f"{told}: at the second start worker:{other} restored nothing."
    if epochs[0] != epochs[1]:
        return f"{told}; {_FIRST} and {_SECOND} make {_FIRST + _SECOND}, on both."
    if epochs[0] == _SECOND:
        return f"{told}: the second start began from scratch."
    if epochs[0] != _FIRST + _SECOND:
        return f"{told}; {_FIRST} and {_SECOND} make {_FIRST + _SECOND}."
    return "" if equal else f"{told}, but `net` differs: not everything was restored on both."


def _judge_files(work: Work) -> Verdict:
    kept = sorted(path.stem for path in (work.folder / "kept").glob("*.index"))
    before = work.value("before")
    if not isinstance(before, Mapping):
        return not_yet("Run the cell below yours again.")
    left = sorted(path for path, at in _all(work.folder).items() if before.get(path) != at)
    if not kept:
        return wrong(f"There is no checkpoint in `kept`. {_other_place(work)}".rstrip())
    if len(kept) != _KEPT:
        return wrong(f"Checkpoints in `kept`: {len(kept)}, not {_KEPT} ({', '.join(kept)[:200]}).")
    if left:
        return wrong(f"Something was left outside `kept`: {', '.join(left)[:300]}.")
    if strangers := _strangers(work.folder / "kept"):
        return wrong(f"Besides checkpoints, `kept` contains {', '.join(strangers)[:300]}.")
    wanted = [f"ckpt-{number}" for number in (5, 6, 7)]
    if kept != wanted:
        return wrong(f"{', '.join(kept)[:200]} are kept, which are not the last three of seven.")
    return right("Seven saves in two starts, the last three kept by the chief, and nothing else.")


def _other_place(work: Work) -> str:
    """Where the chief's manager saves, if that is not `kept`, as a sentence; else empty."""
    place, kept = each_worker(work, _DIRECTORY)[0], work.folder.absolute() / "kept"
    return "" if place == str(kept) else f"The manager of worker:0 saves to {place}."


def _strangers(kept: Path) -> list[str]:
    """Whatever is there besides the managers' own files."""
    paths = (path for path in kept.rglob("*") if not _OF_A_MANAGER.match(path.name))
    return sorted(path.relative_to(kept).as_posix() + "/" * path.is_dir() for path in paths)


def _all(folder: Path) -> dict[str, int]:
    """Each path in the workspace, and when it was written (ns), to tell a second run from the
    first.

    Left out are `kept`, programs, mwtutor's own files, and the folder that is made for the run.
    """
    own = {".mwtutor", ".mwtutor-workspace", ".gitignore", "__pycache__"}
    found = [path.relative_to(folder) for path in folder.rglob("*")]
    return {
        path.as_posix() + "/" * (folder / path).is_dir(): (folder / path).stat().st_mtime_ns
        for path in found
        if not own & set(path.parts) and path.parts[0] != "kept" and path.suffix != ".py"
        if path.as_posix() != "temporary"
    }
