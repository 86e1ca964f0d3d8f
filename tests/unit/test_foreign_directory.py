"""A ``.mwtutor`` from somebody else's repository: nothing outside it is touched."""

from __future__ import annotations

import ast
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mwtutor import launcher
from mwtutor.cli import main
from mwtutor.exceptions import BadInput, NoRun
from mwtutor.exercises import guidance
from mwtutor.exercises.records import EXERCISES
from mwtutor.run.record.store import Store
from mwtutor.run.run import Run
from tests.support.runs.directories import a_run, dead, supervised_by

PACKAGE = Path(__file__).parents[2] / "mwtutor"


@pytest.fixture
def thesis(work: Path) -> Iterator[Path]:
    outside = work.parent / f"{work.name}-outside"
    outside.mkdir()
    file = outside / "thesis.txt"
    file.write_text("years")
    yield file
    assert file.read_text() == "years"
    assert os.listdir(outside) == ["thesis.txt"]


#: What can be in a file's place.
TAKEN: dict[str, Callable[[Path, Path], object]] = {
    "a link": lambda place, thesis: place.symlink_to(thesis),
    "a dangling link": lambda place, thesis: place.symlink_to(thesis.with_name("new.txt")),
    "a pipe": lambda place, thesis: os.mkfifo(place),
    "a directory": lambda place, thesis: place.mkdir(),
    "a socket": lambda place, thesis: socket.socket(socket.AF_UNIX).bind(place.name),
}


@pytest.mark.parametrize("taken", TAKEN)
def test_progress_is_kept_beside_what_takes_its_place(work, thesis, taken, monkeypatch):
    (work / ".mwtutor").mkdir()
    place = work / ".mwtutor" / "progress.json"
    monkeypatch.chdir(place.parent)
    TAKEN[taken](place, thesis)
    monkeypatch.chdir(work)
    assert "It was renamed to progress.json.damaged-1" in guidance.hint("03-1").note
    assert place.is_file()
    assert not place.is_symlink()
    assert EXERCISES.all()["03-1"].hints == 1


@pytest.mark.parametrize("taken", TAKEN)
@pytest.mark.parametrize("name", [".gitignore", "locks", "runs", "locks/main"])
def test_a_launch_writes_nothing_through_what_takes_a_place(work, thesis, taken, name, monkeypatch):
    place = work / ".mwtutor" / name
    place.parent.mkdir(parents=True)
    monkeypatch.chdir(place.parent)
    TAKEN[taken](place, thesis)
    monkeypatch.chdir(work)
    store = Store()
    harmless = taken == "a directory" and name != "locks/main"
    if name == ".gitignore" or harmless:
        with store.claim("main"):
            store.new("main")
    else:
        with pytest.raises(BadInput, match="cannot be written") as error, store.claim("main"):
            pass
        assert error.value.remedy


@pytest.mark.parametrize("name", [".mwtutor", ".mwtutor/runs"])
def test_a_directory_that_is_a_link_is_not_used(work, thesis, name):
    ours = a_run()
    supervised_by(ours, *dead())
    end = Run.open(ours.path)
    assert end.outcome is not None
    (work / "clone").mkdir()
    place = work / "clone" / name
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(work / name)
    store = Store(work / "clone")
    with pytest.raises(BadInput, match="is a link"), store.claim("main"):
        pass
    assert launcher.clean(store) == 0
    assert ours.path.exists(), "what belongs to another directory is not removed"
    with pytest.raises(NoRun, match="is a link"):
        Run.open(store.root / "runs" / ours.id)


@pytest.mark.parametrize("file", ["run.json", "events.jsonl", "logs", "logs/worker-0.log",
                                  "tf_config/worker-0.json"])  # fmt: skip
def test_no_file_of_a_run_is_read_through_a_link(work, thesis, file, capsys):
    spec = a_run()
    supervised_by(spec, *dead())
    place = spec.path / file
    if place.is_dir():
        place.rename(work / "moved")
        place.symlink_to(work / "moved")
        (work / "moved" / "worker-0.log").write_text("years\n")
    else:
        place.unlink(missing_ok=True)
        place.symlink_to(thesis)
    for verb in (["status"], ["logs"], ["config"], ["runs"], ["stop"], ["runs", "--clean"]):
        main(verb)
    shown = capsys.readouterr()
    assert "years" not in shown.out + shown.err
    assert "Traceback" not in shown.err


def test_nothing_is_added_to_a_file_that_has_another_name(work, thesis):
    spec = a_run()
    supervised_by(spec, *dead())
    spec.events.rename(thesis.with_name("events"))
    os.link(thesis.with_name("events"), spec.events)
    before = spec.events.read_bytes()
    assert Run.open(spec.path).state.status == "lost"
    assert thesis.with_name("events").read_bytes() == before, "the end is not recorded in it"
    thesis.with_name("events").unlink()


# -- every place that opens a file --------------------------------------------------------------

#: Calls that open, make or remove the file of a path.
_CALLS = {
    *("open", "read_text", "read_bytes", "write_text", "write_bytes", "touch", "truncate"),
    *("mkdir", "makedirs", "rmdir", "rmtree", "unlink", "rename", "chmod", "chown", "mkfifo"),
    *("iterdir", "glob", "rglob", "scandir", "listdir", "walk", "fwalk"),
    *("link", "symlink", "symlink_to", "hardlink_to"),
    *("copy", "copy2", "copyfile", "copytree", "move"),
}
#: Calls with the same name that have nothing to do with files: ``Run.open``, ``ast.walk``, a list's
#: ``copy``.
_ONLY = {"walk": {"os"}, "copy": {"shutil"}, "move": {"shutil"}, "link": {"os"}}
_NOT = {"files", "Run", "show", "singleton"}

#: The places that open files outside ``.mwtutor``, and which files those are.
ELSEWHERE = {
    "board/files.py": "the tree for TensorBoard, in a private directory of its process",
    "board/process.py": "the same",
    "bridges/": "the program's own files",
    "commands/completion.py": "what a person may be about to type",
    "commands/explain.py": "a log that somebody names",
    "datasets/": "datasets, and the cache of Keras",
    "display/": "/dev/null",
    "engines/local/forkserver.py": "/proc",
    "engines/node_check.py": "our own source",
    "engines/local/reach.py": "sockets in the private directory",
    "exercises/catalogue.py": "the same as exercises/folders.py",
    "exercises/classes.py": "looks for learners' folders, and opens nothing in them",
    "exercises/course.py": "the course, in a directory that somebody names",
    "exercises/course_files.py": "our own files",
    "exercises/folders.py": "the exercises of the lessons, and those that somebody names",
    "exercises/task_md.py": "the same",
    "exercises/left_files.py": "the files with which a lesson ends, and a workspace",
    "exercises/lessons/": "the files of programs in a workspace",
    "exercises/evidence.py": "what a learner has written in a workspace",
    "exercises/grading/": "submissions and results, in directories that somebody names",
    "exercises/isolation.py": "/proc and /dev/null",
    "exercises/notebooks.py": "the course's notebooks, and the learner's",
    "exercises/opening.py": "a program in a workspace",
    "exercises/judging_kernel.py": "a temporary directory",
    "exercises/trials.py": "an exercise's folder that somebody names",
    "exercises/workspaces.py": "a workspace, which has our mark",
    "facts.py": "in the folder of a program of the course, what it did",
    "network/": "/proc, /etc/hosts",
    "overview.py": "looks for folders with runs, and opens nothing in them",
    "run/control.py": "sockets in the private directory",
    "run/request/program.py": "the program",
    "scratch.py": "directories for what is not ready yet, which have our mark",
    "sessions/export.py": "the script that somebody names",
    "sessions/link.py": "sockets in the private directory",
    "supervisor/process.py": "its socket in the private directory",
    "system/": "/proc, /sys, the private directory, and the helper itself",
    "targets/jobs/node_question.py": "an installed package",
    "worker/patches/generated.py": "files of TensorFlow in the temporary directory",
}


def opens(source: str) -> list[int]:
    """The lines on which a file is opened, made, listed or removed without the helper."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id == "open":
            found.append(node.lineno)
        elif isinstance(node.func, ast.Attribute) and node.func.attr in _CALLS:
            owner = node.func.value
            owner = owner.func if isinstance(owner, ast.Call) else owner
            name = owner.id if isinstance(owner, ast.Name) else ""
            if name not in _NOT and name in _ONLY.get(node.func.attr, {name}):
                found.append(node.lineno)
    return found


def test_whatever_opens_a_file_below_our_directory_uses_the_helper():
    used = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        where = path.relative_to(PACKAGE).as_posix()
        lines = opens(path.read_text())
        allowed = [place for place in ELSEWHERE if where.startswith(place)]
        used.update(allowed if lines else ())
        assert allowed or not lines, (
            f"mwtutor/{where} opens files on lines {lines}: use mwtutor.system.files for what is"
            " below .mwtutor, and list the file in ELSEWHERE for what is not"
        )
    assert set(ELSEWHERE) == used, "no longer needed there"


@pytest.mark.parametrize("line", ["open(path)", "self._path.open('rb')", "os.open(path, 0)",
    "(run.path / 'x').read_text()", "path.unlink()", "shutil.rmtree(path)"])  # fmt: skip
def test_such_a_place_is_found(line):
    assert opens(f"import os\n{line}\n") == [2]
    assert not opens("files.open_file(path)\nfiles.read(path)\nanswer.open_it()\n")
