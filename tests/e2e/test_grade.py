"""``mwtutor grade``: right, wrong and hostile submissions, in one command."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from mwtutor.exercises import catalogue
from tests.support.machines.disks import fill, small_disk
from tests.support.waiting import until

pytestmark = [pytest.mark.e2e, pytest.mark.full]

MWTUTOR = [sys.executable, "-c", "import sys; from mwtutor.cli import main; sys.exit(main())"]

COUNTED = "open({!r}, 'a').write('x')\n"

#: The text after a right solution, and the points.
HOSTILE = {
    "deletes": "import shutil\nfor up in '.', '..', '../..': shutil.rmtree(up, ignore_errors=True)",
    "ends": "import os; os._exit(0)",
    "fills": "kept = bytearray(3 << 30)\nimport time; time.sleep(60)",
    "forks": "import os, time\nfor _ in range(300):\n    if not os.fork(): break\ntime.sleep(60)",
    "kills-the-judge": "import os, signal; os.kill(os.getppid(), signal.SIGKILL)",
    "kills": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "loops": "while True:\n    try:\n        while True: pass\n    except KeyboardInterrupt: pass",
    "prints": "print('x' * (1 << 28))",
    "waits": "import time; time.sleep(3600)",
}


def grade(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*MWTUTOR, "grade", *words], capture_output=True, text=True, timeout=600)


@pytest.fixture
def submit(work: Path):
    subprocess.run([*MWTUTOR, "exercise", "new", "mine"], check=True, capture_output=True)

    def submit_one(learner: str, code: str) -> None:
        cell = {"cell_type": "code", "metadata": {"tags": ["exercise-sample-1"]}, "source": code}
        folder = work / "submitted" / learner
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "mine.ipynb").write_text(json.dumps({"cells": [cell]}))

    return submit_one


def solution() -> str:
    return Path("mine", "solution.py").read_text()


def points() -> dict[str, tuple[str, str]]:
    with open("grades/grades.csv", newline="") as table:
        return {
            row["learner"]: (row["points"], row["needs review"]) for row in csv.DictReader(table)
        }


def left(work: Path) -> list[str]:
    """The processes of kernels that still exist."""
    found = []
    for process in psutil.process_iter():
        try:
            line = " ".join(process.cmdline())
            if "kernel.json" in line and process.environ().get("TMPDIR") == str(work / "tmp"):
                found.append(line)
        except psutil.Error:
            continue
    return found


def test_a_class_is_graded(submit, work, monkeypatch):
    (work / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(work / "tmp"))
    submit("right", solution())
    submit("wrong", "def share(rows, worker, workers): return rows")
    submit("stub", Path("mine", "stub.py").read_text())
    submit("garbled", "def share(:")
    for name, code in HOSTILE.items():
        submit(name, f"{solution()}\n{code}\n")
    (work / "submitted" / "linked.ipynb").symlink_to("/etc/hostname")
    done = grade("mine", "submitted", "--timeout", "6", "--memory", "2GiB", "--jobs", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert points() == {
        "deletes": ("1", ""),
        "ends": ("0", ""),
        "fills": ("0", "sample-1"),
        "forks": ("0", "sample-1"),
        "garbled": ("0", ""),
        "kills": ("0", "sample-1"),
        "kills-the-judge": ("0", "sample-1"),
        "linked": ("0", "sample-1"),
        "loops": ("0", "sample-1"),
        "prints": ("1", ""),
        "right": ("1", ""),
        "stub": ("0", ""),
        "waits": ("0", "sample-1"),
        "wrong": ("0", ""),
    }
    assert (
        "fills sample-1: 0 of 1\n    check: not judged. The cell was stopped because it used more"
        in done.stdout
    )
    assert "had more than 200 processes" in done.stdout
    assert left(work) == []
    assert [one for one in (work / "tmp").iterdir() if one.name != "mwtutor-0"] == []


def test_variants_give_part_of_the_points_and_nothing_is_judged_twice(submit, work):
    hidden = work / "hidden" / "many-workers"
    subprocess.run([*MWTUTOR, "exercise", "new", str(hidden)], check=True, capture_output=True)
    (hidden / "check.py").write_text(
        "from mwtutor.exercises.exercise import right, wrong\n"
        "def check(work):\n"
        "    shares = [work.value('share')([*range(40)], w, 8) for w in range(8)]\n"
        "    fine = sorted(sum(map(list, shares), [])) == [*range(40)]\n"
        "    return right('Also with 8 workers.') if fine else wrong('Not with 8 workers.')\n"
    )
    counter = str(work / "count")
    submit("anna", COUNTED.format(counter) + solution())
    few = solution().replace("workers]", "workers] if workers < 8 else []")
    submit("ben", few)
    words = ["mine", "submitted", "--variants", "hidden", "--points", "sample-1=4"]
    assert grade(*words).returncode == 0
    assert points() == {"anna": ("4", ""), "ben": ("2", "")}
    assert Path(counter).read_text() == "xx"
    submit("cleo", solution())
    done = grade(*words)
    assert points() == {"anna": ("4", ""), "ben": ("2", ""), "cleo": ("4", "")}
    assert Path(counter).read_text() == "xx"
    assert "many-workers: wrong. Not with 8 workers." in done.stdout
    shutil.rmtree(work / "submitted" / "anna")
    done = grade(*words)
    assert "Removed from the results (not in submitted): anna." in done.stdout
    assert points() == {"ben": ("2", ""), "cleo": ("4", "")}
    pages = {path.stem for path in Path("grades", "feedback").iterdir()}
    assert (
        pages == {path.name for path in Path("grades", "gradescope").iterdir()} == {"ben", "cleo"}
    )
    assert "anna" not in Path("grades", "grades.json").read_text()


def test_an_interrupt_keeps_the_grades_and_leaves_nothing(submit, work, monkeypatch):
    (work / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(work / "tmp"))
    submit("anna", solution())
    submit("ben", "open('begun', 'w')\nimport time; time.sleep(3600)")
    running = subprocess.Popen(
        [*MWTUTOR, "grade", "mine", "submitted"], stdout=subprocess.PIPE, text=True
    )
    until(lambda: [*(work / "tmp").glob("mwtutor-*/mwtutor-*/desk/*/begun")], seconds=120)
    os.kill(running.pid, signal.SIGINT)
    shown, _ = running.communicate(timeout=60)
    assert running.returncode != 0
    assert "Traceback" not in shown
    assert points() == {"anna": ("1", "")}
    assert left(work) == []


def test_a_full_disk_gets_a_sentence_and_the_batch_goes_on(submit, work, monkeypatch):
    for learner in ("anna", "ben"):
        submit(learner, solution())
    with small_disk(work / "disk", 20) as disk:
        monkeypatch.setenv("TMPDIR", str(disk))
        done = grade("mine", "submitted")
        assert (done.returncode, done.stderr) == (0, "")
        full = "It cannot be judged here: less than 0.5 GiB is free for temporary files."
        assert done.stdout.count(full) == 2
        assert points() == {"anna": ("0", "sample-1"), "ben": ("0", "sample-1")}
        fill(disk)
        done = grade("mine", "submitted", "--to", f"{disk}/grades")
        problem, remedy = done.stderr.splitlines()
        assert problem.endswith(f"cannot be written to {disk}/grades: No space left on device.")
        assert remedy.startswith("Name another directory with --to")


@pytest.mark.tensorflow
def test_a_repaired_program_is_graded_from_its_file(work):
    one = catalogue.find("22-07")
    wrong = next(each for each in one.sabotages if each.code)
    for learner, code in (("anna", one.solution), ("ben", wrong.code), ("cleo", one.stub)):
        folder = work / "submitted" / learner
        folder.mkdir(parents=True)
        (folder / "broken_07.py").write_text(code.partition("\n")[2])
    done = grade("22-07", "submitted", "--jobs", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert points() == {"anna": ("1", ""), "ben": ("0", ""), "cleo": ("0", "")}
    assert wrong.says in done.stdout
