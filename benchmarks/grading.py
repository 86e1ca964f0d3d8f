"""Grade about thirty submissions of one exercise with one command, and check the grades.

    python benchmarks/grading.py [--jobs 2] [--json FILE] [--only NAME ...]

The submissions of exercise 05-1 are right, wrong, hostile, or not what a learner should submit. The
expected grades are a list written by hand, :data:`SUBMISSIONS`: the points of each, whether a
person has to look at it, and words of its reasons. The program exits with 1 if a grade differs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from mwtutor.exercises import catalogue
from mwtutor.exercises.exercise import Exercise
from mwtutor.exercises.folders import read_answers

ID = "05-1"
COURSE = Path(__file__).parents[1] / "notebooks"

#: Writes a submission of the exercise into the learner's folder.
Make = Callable[[Path, Exercise], None]


@dataclass(frozen=True)
class Expected:
    """A submission and its grade.

    Attributes:
        points: 0 or 1.
        review: whether a person has to look at it.
        says: words of the reasons.
    """

    name: str
    make: Make
    points: float
    says: str = ""
    review: bool = False


def lesson(name: str = "05_input") -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads((COURSE / f"{name}.ipynb").read_text())
    return notebook


def is_exercise(cell: dict[str, Any]) -> bool:
    return f"exercise-{ID}" in cell["metadata"].get("tags", [])


def write(folder: Path, notebook: dict[str, Any], name: str = "05_input.ipynb") -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(notebook))


def with_code(code: Callable[[Exercise], str], **more: Any) -> Make:
    """The lesson's notebook with this code in the exercise's cell, and more keys in that cell."""

    def make(folder: Path, exercise: Exercise) -> None:
        notebook = lesson()
        for cell in filter(is_exercise, notebook["cells"]):
            cell.update({"source": code(exercise), **more})
        write(folder, notebook)

    return make


def after(code: str) -> Make:
    """The solution, and then this code on the workers."""
    return with_code(lambda one: f"{one.solution}\n{code}\n")


def in_the_kernel(code: str) -> Make:
    """The solution, and then this code in the kernel."""
    head = "from IPython import get_ipython\nget_ipython().run_cell_magic('mw', '', {!r})\n{}\n"
    return with_code(lambda one: head.format(one.solution.partition("\n")[2], code))


def wrong(place: int) -> Make:
    return with_code(lambda one: one.sabotages[place].code)


def answer(what: str) -> Make:
    (folder,) = [one for one in catalogue.folders_of(ID) if one.name == "exercise_1"]
    (found,) = [one for one in read_answers(folder) if one.what == what]
    return with_code(lambda one: found.code)


def changed(change: Callable[[dict[str, Any], Exercise], None]) -> Make:
    """The solved lesson, with a change to its notebook."""

    def make(folder: Path, exercise: Exercise) -> None:
        notebook = lesson()
        for cell in filter(is_exercise, notebook["cells"]):
            cell["source"] = exercise.solution
        change(notebook, exercise)
        write(folder, notebook)

    return make


def untagged(notebook: dict[str, Any], exercise: Exercise) -> None:
    for cell in notebook["cells"]:
        cell["metadata"] = {}


def renamed(notebook: dict[str, Any], exercise: Exercise) -> None:
    for at, cell in enumerate(notebook["cells"]):
        cell.update({"metadata": {}, "id": f"cell-{at}"})


def alone(notebook: dict[str, Any], exercise: Exercise) -> None:
    notebook["cells"] = [*filter(is_exercise, notebook["cells"])]


def older(notebook: dict[str, Any], exercise: Exercise) -> None:
    for cell in notebook["cells"]:
        cell.pop("id", None)
    notebook.update(nbformat=4, nbformat_minor=4)


def launches_elsewhere(notebook: dict[str, Any], exercise: Exercise) -> None:
    cell = {"cell_type": "code", "id": "x", "metadata": {"tags": ["setup"]}, "outputs": []}
    notebook["cells"].insert(0, {**cell, "source": "%mw_launch 64 reading.py"})


def padded(megabytes: int) -> Make:
    output = {"output_type": "stream", "name": "stdout", "text": "x" * (megabytes << 20)}
    return with_code(lambda one: one.solution, outputs=[output])


def other_lesson(folder: Path, exercise: Exercise) -> None:
    write(folder, lesson("03_keras_on_two_workers"))


def no_notebook(folder: Path, exercise: Exercise) -> None:
    folder.mkdir()
    (folder / "report.txt").write_text("I did it.")


def not_a_notebook(folder: Path, exercise: Exercise) -> None:
    folder.mkdir()
    (folder / "05_input.ipynb").write_text("<html>")


def a_link(folder: Path, exercise: Exercise) -> None:
    folder.symlink_to(folder.parent / "right")


def a_linked_notebook(folder: Path, exercise: Exercise) -> None:
    folder.mkdir()
    (folder / "05_input.ipynb").symlink_to(folder.parent / "right" / "05_input.ipynb")


def a_pipe(folder: Path, exercise: Exercise) -> None:
    folder.mkdir()
    os.mkfifo(folder / "05_input.ipynb")


FORGED = {"output_type": "stream", "name": "stdout", "text": f"{ID}: right. Each row once."}
FORKS = "import os, time\nfor _ in range(300):\n    if not os.fork(): break\ntime.sleep(99)"
LAUNCHES = "%mw_launch 64 reading.py --wait"
FIRST_LINE = "The first line of the cell is not `%%mw`"
NO_CELL = "The notebook has no cell for this exercise."
NOT_JUDGED = "check: not judged."

SUBMISSIONS = (
    Expected("right", with_code(lambda one: one.solution), 1, "Each row once"),
    Expected("right-one-seed", answer("one seed, shuffled before it is sharded"), 1, "right"),
    Expected("right-own-range", answer("its own range of rows, and prefetch"), 1, "check: right"),
    Expected("right-alone", changed(alone), 1, "check: right"),
    Expected("right-untagged", changed(untagged), 1, "check: right"),
    Expected("right-older-version", changed(older), 1, "check: right"),
    Expected("right-launch-elsewhere", changed(launches_elsewhere), 1, "check: right"),
    Expected("right-50-MB", padded(50), 1, "check: right"),
    Expected("right-prints", after("print('x' * (1 << 26))"), 1, "check: right"),
    *(Expected(f"wrong-{at + 1}", wrong(at), 0, "check: wrong") for at in range(5)),
    Expected("stub", with_code(lambda one: one.stub), 0, "left unchanged"),
    Expected("forged-output", with_code(lambda one: one.stub, outputs=[FORGED]), 0, "unchanged"),
    Expected("garbled", with_code(lambda one: "%%mw\ndef dataset_fn("), 0, "does not compile"),
    Expected("renamed", changed(renamed), 0, NO_CELL, review=True),
    Expected("other-lesson", other_lesson, 0, NO_CELL, review=True),
    Expected("no-notebook", no_notebook, 0, NO_CELL, review=True),
    Expected("not-a-notebook", not_a_notebook, 0, NO_CELL, review=True),
    Expected("a-link", a_link, 0, NO_CELL, review=True),
    Expected("a-linked-notebook", a_linked_notebook, 0, NO_CELL, review=True),
    Expected("a-pipe", a_pipe, 0, NO_CELL, review=True),
    Expected("too-large", padded(70), 0, NO_CELL, review=True),
    Expected("loops", after("while True: pass"), 0, NOT_JUDGED, review=True),
    Expected("loops-in-kernel", in_the_kernel("while True: pass"), 0, NOT_JUDGED, review=True),
    Expected("exits", in_the_kernel("import os; os._exit(0)"), 0, FIRST_LINE, review=True),
    Expected(
        "kills-the-judge",
        in_the_kernel("import os, signal; os.kill(os.getppid(), signal.SIGKILL)"),
        0, "The process that judges was killed or halted", review=True,
    ),
    Expected(
        "halts-the-judge",
        in_the_kernel("import os, signal; os.kill(os.getppid(), signal.SIGSTOP)"),
        0, "The process that judges was killed or halted", review=True,
    ),
    Expected(
        "forks",
        in_the_kernel(FORKS),
        0, "more than 200 processes", review=True,
    ),
    Expected(
        "fills",
        in_the_kernel("kept = b'x' * (4 << 30)\nimport time; time.sleep(99)"),
        0, "more than 3 GiB of memory", review=True,
    ),
    Expected("launches-64", with_code(lambda one: LAUNCHES), 0, FIRST_LINE, review=True),
)  # fmt: skip


@dataclass(frozen=True)
class Judged:
    """A grade next to the expected one."""

    name: str
    points: float
    review: bool
    words: str
    fault: str


def compared(expected: Expected, row: dict[str, Any]) -> Judged:
    grade = row["grades"][ID]
    findings = [f"{one['check']}: {one['status']}. {one['words']}" for one in grade["findings"]]
    words = " ".join([grade["why"], *findings]).strip()
    review = any(one["status"] == "not judged" for one in grade["findings"])
    review = review or bool(row["problems"] and not findings)
    faults = []
    if grade["points"] != expected.points:
        faults.append(f"{grade['points']:g} points, not {expected.points:g}")
    if review != expected.review:
        faults.append("needs review" if review else "needs no review")
    if expected.says not in words:
        faults.append(f"it does not say {expected.says!r}")
    return Judged(expected.name, grade["points"], review, words, "; ".join(faults))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    chosen = [one for one in SUBMISSIONS if not options.only or one.name in options.only]
    exercise = catalogue.find(ID)
    with tempfile.TemporaryDirectory() as place:
        submitted, to = Path(place, "submitted"), Path(place, "grades")
        submitted.mkdir()
        for one in chosen:
            one.make(submitted / one.name, exercise)
        words = ["grade", ID, str(submitted), "--to", str(to), "--jobs", options.jobs]
        begun = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "mwtutor", *words, "--timeout", "60", "--memory", "3GiB"]
        )
        seconds = time.monotonic() - begun
        learners = json.loads((to / "grades.json").read_text())["learners"]
    judged = [compared(one, learners[one.name]) for one in chosen]
    faults = [f"{one.name}: {one.fault}. {one.words}" for one in judged if one.fault]
    print(f"{len(judged)} submissions in {seconds:.0f} s, exit status {done.returncode}.")
    print("\n".join([*faults, f"Faults: {len(faults)}."]))
    if options.json:
        data = {
            "seconds": round(seconds),
            "jobs": int(options.jobs),
            "judged": [*map(asdict, judged)],
        }
        options.json.write_text(json.dumps(data, indent=1) + "\n")
    return 1 if faults or done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
