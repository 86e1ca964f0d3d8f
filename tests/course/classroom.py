"""A kernel that executes a lesson's cells, and checks of the lesson in that kernel."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mwtutor.exercises import Exercise
from tests.course.lesson import CHECKED, Cell, Lesson
from tests.course.sabotage import CheckSabotage
from tests.support.runs.notebook_kernel import Kernel

#: The cell that is executed at the end of every lesson here.
NO_TENSORFLOW = "import sys\nassert 'tensorflow' not in sys.modules, 'it is for the workers'"

#: The next lesson in this kernel must not find a cluster of this one.
LEFT_TIDY = "import mwtutor\nassert all(run.outcome for run in mwtutor.runs()), mwtutor.runs()"

#: The environment variables of the kernel.
VARIABLES = "import os\nprint(sorted(os.environ.items()))"


@dataclass(frozen=True)
class Shown:
    """The output of a cell, and the error that it raised."""

    text: str
    error: str = ""


class Classroom:
    """A lesson in a kernel; by default, in its own kernel.

    Args:
        where: an empty directory, or the working directory of the kernel.
        package: the directory from which that kernel imports the package, if not the usual one.
        kernel: a kernel that has executed other lessons.
    """

    def __init__(
        self,
        lesson: Lesson,
        where: Path,
        package: Path | None = None,
        kernel: Kernel | None = None,
    ) -> None:
        self.lesson = lesson
        for folder in lesson.folders:
            shutil.copytree(folder, where / folder.name, dirs_exist_ok=True)
        own = {"PYTHONPATH": str(package)} if package else {}
        self._kernel = kernel or Kernel(where, **own)

    def execute(self, source: str) -> Shown:
        shown, errors = [], []

        def take(message: dict[str, Any]) -> None:
            content = message["content"]
            if message["msg_type"] == "error":
                errors.append(re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(content["traceback"])))
            elif message["msg_type"] == "stream":
                shown.append(content["text"] * (content["name"] == "stdout"))
            elif message["msg_type"] in ("display_data", "execute_result"):
                shown.append(content["data"].get("text/plain", "") + "\n")

        self._kernel.client.execute_interactive(source, output_hook=take, timeout=300)
        return Shown("".join(shown).strip(), "\n".join(errors))

    def must(self, source: str) -> Shown:
        """Execute a cell that must succeed."""
        shown = self.execute(source)
        assert not shown.error, f"{source}\n{shown.error}"
        return shown

    def set_up(self) -> None:
        for cell in self.lesson.tagged("setup"):
            self.must(cell.source)

    def close(self) -> None:
        self._kernel.close()

    # -- exercises --------------------------------------------------------------------------

    def check_exercise(self, exercise: Exercise) -> None:
        """The stub is unsolved, each wrong solution gets its verdict, and the solution is right."""
        self.check_stub(exercise)
        self.check_sabotages(exercise)
        self.check_solution(exercise)

    def check_stub(self, exercise: Exercise) -> None:
        untouched = self.verdict(exercise, exercise.stub)
        assert untouched.startswith(f"{exercise.id}: not solved yet."), untouched
        (cell,) = self.lesson.tagged(f"check-{exercise.id}")
        assert untouched == cell.stored, "what the check cell stores is not what the stub gets"

    def check_sabotages(self, exercise: Exercise) -> None:
        verdicts = {one: self.verdict(exercise, one.code) for one in exercise.sabotages}
        for sabotage, verdict in verdicts.items():
            assert verdict.startswith(f"{exercise.id}: not right yet."), (sabotage, verdict)
            with_words = [one for one, words in verdicts.items() if sabotage.says in words]
            said = [f"{one.misconception}: {words}" for one, words in verdicts.items()]
            assert with_words == [sabotage], "\n".join([f"{sabotage.says!r} in", *said])

    def check_solution(self, exercise: Exercise) -> None:
        solved = self.verdict(exercise, exercise.solution)
        assert solved.startswith(f"{exercise.id}: right."), solved

    def verdict(self, exercise: Exercise, code: str) -> str:
        """The check's verdict on this code in the exercise's cell."""
        written = self.execute(code)
        for cell in self.lesson.tagged(f"run-{exercise.id}"):
            ran = self.execute(cell.source)
            assert code != exercise.stub or not ran.error, ran.error  # "Run all" succeeds
        assert code != exercise.stub or not written.error, written.error
        return self.must(f"%mw_check {exercise.id}").text

    # -- check cells ------------------------------------------------------------------------

    def check_sabotage(self, sabotage: CheckSabotage) -> None:
        """The check cell must show something other than what the repository stores."""
        cell = self.lesson.cell(sabotage.check)
        shown = self._sabotaged(sabotage)
        assert (shown.text, shown.error) != (cell.stored, ""), "the check does not notice it"
        if shown.error:  # is this the fault, or did a cell not run that the check needs?
            control = self._executed(sabotage, {})
            assert not control.error, f"without the sabotage: {control.error}"
            assert control.text == cell.stored

    def check_fault(self, check: str, line: str) -> None:
        """With unchanged cells and a faulty package, this line of the check's output differs."""
        for cell in self.lesson.cells:
            shown = self.execute(cell.source)
            if cell.id == check:
                assert not shown.error, shown.error
                pairs = zip(shown.text.splitlines(), cell.stored.splitlines(), strict=True)
                assert line in [now.strip() for now, stored in pairs if now != stored], shown.text
                return
        raise AssertionError(f"there is no cell {check}")

    def _sabotaged(self, sabotage: CheckSabotage) -> Shown:
        source = self.lesson.cell(sabotage.cell).source
        assert sabotage.old in source, f"{sabotage.cell} has no {sabotage.old!r}"
        changed = source.replace(sabotage.old, sabotage.new)
        return self._executed(sabotage, {sabotage.cell: changed})

    def _executed(self, sabotage: CheckSabotage, changed: dict[str, str]) -> Shown:
        """Execute the required cells, from an empty notebook; return what the check cell shows."""
        self.must("%reset -f")
        names = {sabotage.check, sabotage.cell, *sabotage.needs}
        shown = Shown("")
        for cell in self.lesson.cells:
            if cell.id in names or "setup" in cell.tags:
                shown = self.execute(changed.get(cell.id, cell.source))
            if cell.id == sabotage.check:
                return shown
        raise AssertionError(f"there is no cell {sabotage.check}")

    # -- the whole notebook -----------------------------------------------------------------

    def check_unchanged(self, launches: int = 1) -> None:
        """Every cell succeeds as stored, and shows the stored output where nbval compares.

        Args:
            launches: the number of times that each cell with a launch is executed.
        """
        for cell in self.lesson.cells:
            if cell.lacks:
                continue
            for _ in range(launches if cell.id.startswith("launch-") else 1):
                shown = self.must(cell.source)
            if CHECKED in cell.tags:
                assert shown.text == cell.stored, cell.id
        self.must(NO_TENSORFLOW)

    def check_short(self) -> None:
        """The cells of the short path succeed alone, with the same output as in the notebook."""
        for cell in self.lesson.short:
            if not cell.lacks:
                shown = self.must(cell.source)
                assert CHECKED not in cell.tags or shown.text == cell.stored, cell.id

    def check_solved(self) -> None:
        """Every cell succeeds with the solutions filled in, and every check holds.

        An exercise's stub and wrong solutions run before the right one, in the same cell, as for a
        learner. After a new version of the code, and before the cells that run it, the check must
        not judge results of an earlier version.
        """
        exercises = {f"exercise-{one.id}": one for one in self.lesson.exercises}
        for cell in self.lesson.cells:
            if cell.lacks:
                continue
            source = cell.source
            solved = [exercises[tag] for tag in cell.tags if tag in exercises]
            checked = [one for one in solved if not self._check_of(one).lacks]
            for exercise in solved:
                source = exercise.solution
            checked = [one for one in checked if not one.is_writing_task]  # test_writing_tasks does
            for exercise in checked:
                self.check_stub(exercise)
                self.check_sabotages(exercise)
            self._check_shown(cell, self.must(source))
            for exercise in checked:
                self._check_not_reproached(exercise)
            for exercise in exercises.values():
                if self._check_of(exercise) is cell and not exercise.is_writing_task:
                    self._check_spoiled(exercise)
        self.must(NO_TENSORFLOW)

    def _check_of(self, exercise: Exercise) -> Cell:
        (cell,) = self.lesson.tagged(f"check-{exercise.id}")
        return cell

    def _check_not_reproached(self, exercise: Exercise) -> None:
        """Right code without results must not get the verdict on wrong code."""
        shown = self.must(f"%mw_check {exercise.id}").text
        assert not shown.startswith(f"{exercise.id}: not right yet."), shown

    def _check_spoiled(self, exercise: Exercise) -> None:
        """After right results, a wrong cell that has not run is not right."""
        spoilt = {
            exercise.sabotages[0].code: f"{exercise.id}: not ",
            f"{exercise.solution.rstrip()}\nif True\n    pass\n": "does not compile",
        }
        for code, said in spoilt.items():
            self.execute(code)
            shown = self.must(f"%mw_check {exercise.id}").text
            assert said in shown, (code, shown)
        self.must(exercise.solution)

    def _check_shown(self, cell: Cell, shown: Shown) -> None:
        if cell.is_check:
            assert shown.text == cell.stored, cell.id
        for tag in cell.tags:
            if tag.startswith("check-"):
                assert shown.text.startswith(f"{tag.removeprefix('check-')}: right."), shown.text


class Classrooms:
    """Open a classroom for each lesson, and close the previous one; tests are ordered by lesson.

    Args:
        where: creates an empty directory.
    """

    def __init__(self, where: Callable[[str], Path]) -> None:
        self._where = where
        self._open: Classroom | None = None

    def of(self, lesson: Lesson) -> Classroom:
        if self._open is None or self._open.lesson is not lesson:
            self.close()
            self._open = Classroom(lesson, self._where(f"lesson-{lesson.number}"))
        return self._open

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


class SharedKernel:
    """One kernel for all lessons in turn; after a failure, the next lesson gets a new one.

    It also gets one if it sets environment variables, or if the last lesson did: TensorFlow, which
    was imported without them, could not be forked.
    """

    def __init__(self, where: Path) -> None:
        self._where = where
        self._kernel: Kernel | None = None

    @contextmanager
    def classroom(self, lesson: Lesson) -> Iterator[Classroom]:
        if any("%env " in cell.source for cell in lesson.tagged("setup")):
            self.close()
        self._kernel = self._kernel or Kernel(self._where)
        room = Classroom(lesson, self._where, kernel=self._kernel)
        try:
            room.must("%reset -f")
            before = room.must(VARIABLES).text
            yield room
            room.must(LEFT_TIDY)
            usable = room.must(VARIABLES).text == before
        except BaseException:
            self.close()
            raise
        if not usable:
            self.close()

    def close(self) -> None:
        if self._kernel is not None:
            self._kernel.close()
            self._kernel = None


@contextmanager
def classroom(lesson: Lesson, where: Path, package: Path | None = None) -> Iterator[Classroom]:
    room = Classroom(lesson, where, package)
    try:
        yield room
    finally:
        room.close()
