"""Lesson 08: saving."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath
from typing import Any

from mwtutor.exercises.exercise import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.resumed_training import RESUME
from mwtutor.exercises.lessons.worker_values import each_worker

# 08-1: a save that clobbers

_WORKERS = (("worker", 0), ("worker", 1), ("worker", 2))
_WITH_CHIEF = (("chief", 0), ("worker", 0), ("worker", 1))
_ALONE = ((None, None),)

#: The chief stands first.
_CLUSTERS: Mapping[str, tuple[tuple[str | None, int | None], ...]] = {
    "three workers": _WORKERS,
    "a chief and two workers": _WITH_CHIEF,
    "one process without a cluster": _ALONE,
}


def _check_place(work: Work) -> Verdict:
    place = work.value("place")
    if not callable(place):
        return not_yet()
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/digits.keras"
        given = {name: _places(place, path, tasks) for name, tasks in _CLUSTERS.items()}
        stub = {"chief:0": path, "worker:0": path, "worker:1": f"{path}.temporary"}
        if given["a chief and two workers"] == stub:
            return not_yet("chief:0 and worker:0 still save to one path.")
        for name, places in given.items():
            if fault := _fault(places, path):
                return wrong(f"With {name}, {fault}".replace(folder, "..."))
    return right("In each cluster one task saves to the path, and every other one to its own.")


def _places(
    place: Callable[..., Any], path: str, tasks: tuple[tuple[str | None, int | None], ...]
) -> dict[str, Any]:
    jobs = sorted({job for job, _ in tasks if job})
    given = {task: place(path, *task, jobs) for task in tasks}
    return {
        f"{job}:{index}" if job else "the process": _as_text(own)
        for (job, index), own in given.items()
    }


def _as_text(own: Any) -> Any:
    return str(own) if isinstance(own, PurePath) else own


def _fault(places: Mapping[str, Any], path: str) -> str:
    """What is wrong in one cluster, whose chief stands first."""
    for task, own in places.items():
        if not isinstance(own, str):
            return f"{task} gets {own!r:.60}, which is no path."
    chief, *others = places
    writers = [task for task, own in places.items() if own == path]
    if not writers:
        return "nobody saves to the path that was asked for."
    if len(writers) > 1:
        return f"{' and '.join(writers)} both save to the path."
    if writers != [chief]:
        return f"{writers[0]} saves to the path, and {chief} to one that is thrown away."
    for task in others:
        same = [one for one in others if places[one] == places[task]]
        if len(same) > 1:
            return f"{' and '.join(same)} get the same path, {places[task]:.200}."
        if PurePath(places[task]).name != PurePath(path).name:
            return (
                f"{task} is to save {PurePath(places[task]).name:.100}: Keras tells the format from"
                " the end of the name, and others look for the name."
            )
    return ""


_PLACE = """\
import os


def place(path, task_type, task_id, jobs):
    {rule}
    if chief:
        return path
    {other}
"""
_RULE = """\
if task_type is None:
        chief = True
    elif "chief" in jobs:
        chief = task_type == "chief"
    else:
        chief = task_type == "worker" and task_id == 0"""
_OWN_FOLDER = """\
folder, name = os.path.split(path)
    return os.path.join(folder, f"temporary_{task_type}_{task_id}", name)"""


def _place(rule: str = _RULE, other: str = _OWN_FOLDER) -> str:
    return _PLACE.format(rule=rule, other=other)


_CLOBBER = Exercise(
    id="08-1",
    title="a save that clobbers",
    task=(
        "`place` says where a task is to save. It was written for two workers. Now there is a"
        " chief as well: sometimes the file is broken, and Keras refuses the path that the"
        " other workers get. Repair it, for workers only, for a chief with workers, and for one"
        " process without a cluster (`task_type` and `task_id` are `None`, `jobs` is empty):"
        " one task gets `path`, each other one a path that no other task gets, with the same"
        " file name. (`place` only returns the path; the folder may be made by whoever saves.)"
    ),
    stub="""\
import os


def place(path, task_type, task_id, jobs):
    if task_id == 0:
        return path
    return path + ".temporary"
""",
    check=_check_place,
    hints=(
        "In a cluster with the jobs `chief` and `worker`, how many tasks have the index 0?",
        "`jobs` tells whether there is a chief. What is the rule if there is, and what if not?",
        "Put the file, with its own name, into a folder whose name contains the job and the index.",
    ),
    solution=_place(),
    reasoning=(
        "Every job counts from 0, so the index alone finds one task in each job. If there is a"
        " chief, it is the one; if not, it is worker 0; and a process without a cluster is the"
        " only one there is. The others keep the file name, since Keras chooses the format by its"
        " ending, and get a folder of their own, so that no two of them meet there."
    ),
    sabotages=(
        Sabotage(
            "the chief is whoever has the index 0",
            _place(rule="chief = task_id is None or task_id == 0"),
            "both save to the path",
        ),
        Sabotage(
            "worker 0 is the chief, whatever other jobs there are",
            _place(rule='chief = task_type is None or (task_type == "worker" and task_id == 0)'),
            "to one that is thrown away",
        ),
        Sabotage(
            "there always is a job called chief",
            _place(rule='chief = task_type is None or task_type == "chief"'),
            "nobody saves to the path",
        ),
        Sabotage(
            "one temporary folder is enough for all others",
            _place(
                other="return os.path.join(os.path.dirname(path), 'others', os.path.basename(path))"
            ),
            "get the same path",
        ),
        Sabotage(
            "a name of its own is enough",
            _place(other='return f"{path}.{task_type}-{task_id}"'),
            "tells the format from",
        ),
    ),
)

# 08-3: three checkpoints, and nothing else

_DIRECTORY = "os.path.abspath(manager.directory)"
_EPOCHS = "int(epoch.numpy())"
_NET = "net.numpy().tobytes().hex()"

#: Epochs of the two starts, and how many checkpoints are to be kept.
_FIRST, _SECOND, _KEPT = 4, 3, 3


def _check_keeping(work: Work) -> Verdict:
    epochs, places = each_worker(work, _EPOCHS), each_worker(work, _DIRECTORY)
    if len(epochs) < 2 or not all(isinstance(one, int) for one in epochs):
        return not_yet("Nothing was trained.")
    if not places:
        return not_yet("`begin` has returned no manager.")
    if len(places) < 2:
        return wrong(
            "Only one worker has a manager, so only one saves. That goes well until a variable has"
            " to be summed over the workers to be saved: then it waits for the other, for ever."
        )
    if places[0] == places[1]:
        return wrong("Both managers write to one directory, and each removes files there.")
    if fault := _restored(epochs, len(set(each_worker(work, _NET))) == 1):
        return wrong(fault)
    return _judge_files(work)


def _restored(epochs: list[int], equal: bool) -> str:
    told = f"After both starts `epoch` is {epochs[0]} on worker:0 and {epochs[1]} on worker:1"
    if epochs[0] != epochs[1] and _SECOND in epochs:
        anew = epochs.index(_SECOND)
        return f"{told}: at the second start worker:{anew} has restored nothing."
    if epochs[0] != epochs[1]:
        return f"{told}; {_FIRST} and {_SECOND} make {_FIRST + _SECOND}, on both."
    if epochs[0] == _SECOND:
        return f"{told}: the second start began anew."
    if epochs[0] != _FIRST + _SECOND:
        return f"{told}; {_FIRST} and {_SECOND} make {_FIRST + _SECOND}."
    return "" if equal else f"{told}, but `net` differs: not all was restored on both."


def _judge_files(work: Work) -> Verdict:
    kept = sorted(path.stem for path in (work.folder / "kept").glob("*.index"))
    before = work.value("before")
    if not isinstance(before, Mapping):
        return not_yet("Run the cell below yours again.")
    left = sorted(path for path, at in _all(work.folder).items() if before.get(path) != at)
    if not kept:
        return wrong("There is no checkpoint left in `kept`, where the chief saves.")
    if len(kept) != _KEPT:
        return wrong(f"{len(kept)} checkpoints are kept: {', '.join(kept)[:200]}.")
    if left:
        return wrong(f"Something was left beside `kept`: {', '.join(left)[:300]}.")
    wanted = [f"ckpt-{number}" for number in (5, 6, 7)]
    if kept != wanted:
        return wrong(f"{', '.join(kept)[:200]} are kept, which are not the last three of seven.")
    return right("Seven saves in two starts, the last three kept by the chief, and nothing else.")


def _all(folder: Path) -> dict[str, int]:
    """What is in the workspace, and when it was written (ns): else a second run leaves nothing new.

    Left out are `kept`, programs, mwtutor's own, and the folder that is made for the run.
    """
    own = {".mwtutor", ".mwtutor-workspace", ".gitignore", "__pycache__"}
    found = [path.relative_to(folder) for path in folder.rglob("*")]
    return {
        path.as_posix() + "/" * (folder / path).is_dir(): (folder / path).stat().st_mtime_ns
        for path in found
        if not own & set(path.parts) and path.parts[0] != "kept" and path.suffix != ".py"
        if path.as_posix() != "temporary"
    }


_KEEPING = """\
%%mw
def begin(checkpoint):
    {restore}
    {directory}
    return {manager}


def finish(manager):
    {finish}
"""
_READ = 'checkpoint.restore(tf.train.latest_checkpoint("kept"))'
_OWN = 'directory = "kept" if is_chief else tempfile.mkdtemp()'
_MANAGER = "tf.train.CheckpointManager(checkpoint, directory, max_to_keep=3)"
_CLEAR = "if not is_chief:\n        shutil.rmtree(manager.directory)"


def _keeping(
    restore: str = _READ, directory: str = _OWN, manager: str = _MANAGER, finish: str = _CLEAR
) -> str:
    return _KEEPING.format(restore=restore, directory=directory, manager=manager, finish=finish)


_KEEP = Exercise(
    id="08-3",
    title="three checkpoints, and nothing else",
    hard=True,
    task=(
        "A program trains and saves after each epoch; it is started twice, for four epochs and"
        " then for three. The cell below yours plays that program on both workers, from an"
        " empty folder; run it again after each change. At each start it makes new variables"
        " and a new `checkpoint` (of `net` and `epoch`) and calls `begin(checkpoint)`, which"
        " returns a `tf.train.CheckpointManager`; after each epoch it calls the manager's"
        " `save()`, and at the end `finish(manager)`. Write the two functions, so that the"
        " second start goes on where the first has ended, all workers take part in saving, and"
        " in the end there are exactly the last three checkpoints in `kept`, with the manager's"
        " usual names, and nothing anywhere else. (`is_chief` tells a worker of a session"
        " whether it is the chief.)"
    ),
    stub="""\
%%mw
def begin(checkpoint):
    \"\"\"At each start, on every worker: returns the manager whose save() is called.\"\"\"
    return None


def finish(manager):
    \"\"\"After the last epoch of each start, on every worker.\"\"\"
""",
    check=_check_keeping,
    hints=(
        "Each worker's manager writes and removes files, so each needs a directory of its own.",
        "Where does a worker read that is not the chief, at the second start?",
        "`tempfile.mkdtemp()` makes a directory that nobody else has. What it holds is needed"
        " until the last `save()`, so `finish` is the place to remove it.",
        "The manager's own `restore_or_initialize` looks into the manager's directory;"
        ' `tf.train.latest_checkpoint("kept")` looks where the chief has written.',
    ),
    solution=_keeping(),
    reasoning=(
        "Every worker restores the chief's latest checkpoint; at the first start there is none,"
        " and `restore(None)` does nothing, on all of them alike. With the values the number of"
        " saves comes back, and the chief's manager finds in `kept` which checkpoints there are,"
        " so numbering and `max_to_keep` go on. The others save to a directory that is removed when"
        " nobody writes there any more."
    ),
    sabotages=(
        Sabotage(
            "a manager keeps one directory tidy for all workers",
            _keeping(directory='directory = "kept"', finish="pass"),
            "write to one directory",
        ),
        Sabotage(
            "only the chief needs a manager",
            _keeping(
                manager=f"{_MANAGER} if is_chief else None",
                directory='directory = "kept"',
                finish="pass",
            ),
            "Only one worker has a manager",
        ),
        Sabotage(
            "each manager finds the latest checkpoint by itself",
            _keeping(
                restore=_OWN,
                directory=f"manager = {_MANAGER}\n    manager.restore_or_initialize()",
                manager="manager",
            ),
            "has restored nothing",
        ),
        Sabotage(
            "a manager goes on where the last one has ended",
            _keeping(restore="pass"),
            "began anew",
        ),
        Sabotage(
            "a manager keeps three unless it is told otherwise",
            _keeping(manager="tf.train.CheckpointManager(checkpoint, directory, max_to_keep=5)"),
            "checkpoints are kept",
        ),
        Sabotage(
            "whoever removes a directory removes what it is in",
            _keeping(
                directory='directory = "kept" if is_chief else f"workertemp_{task_index}/kept"'
            ),
            "left beside",
        ),
    ),
    session=(_DIRECTORY, _EPOCHS, _NET),
)

EXERCISES = (_CLOBBER, RESUME, _KEEP)
