"""The conventions of every lesson, checked without a kernel. Each fault is a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_lowercase
from typing import Any

from mwtutor.exercises import Exercise
from mwtutor.exercises.sources import read, same
from tests.course import short_path
from tests.course.lesson import CHECKED, IGNORED, Lesson, exercise_of

#: Cells that are not executed in the notebook's kernel.
_ELSEWHERE = re.compile(r"\s*%%(?:writefile|mw\b|mw_scope|bash|sh|script)")

#: Magics that return what they show: a notebook shows only the value of a cell's last line.
_RETURNING = re.compile(r"^%mw_(?:exchanges|timeline|compare|progress)\b.*\n\s*\S", re.MULTILINE)

_TENSORFLOW = re.compile(r"^\s*(?:import|from)\s+(?:tensorflow|keras|tf_keras)\b", re.MULTILINE)

_PREDICT = re.compile(r"^%mw_predict (\S+) (.*)$", re.MULTILINE)
_OUTCOME = re.compile(r"^%mw_outcome (\S+) (.*)$", re.MULTILINE)
_NAME = re.compile(r"(?:^| )(\w+)[=~](?:\{|\.\.\.)")

_ID = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


#: Maximum number of words in a notebook outside of folded answers.
_MOST_WORDS = 1500

#: Maximum number of words in the task of a writing task.
_MOST_WORDS_OF_A_TASK = 40


def faults(lesson: Lesson) -> list[str]:
    """All faults."""
    parts = (_words, _cells, _start, _predictions, _exercises, _data, _clusters, _check_cells)
    found = [fault for part in parts for fault in part(lesson)]
    if not any(cell.source.startswith("%mw_place ") for cell in lesson.cells):  # a short lesson
        found += short_path.faults(lesson)
    return [f"lesson {lesson.number}: {fault}" for fault in found]


def _words(lesson: Lesson) -> Iterator[str]:
    text = lesson.text
    for wanted, what in (
        (r"After this lesson you can", "its objectives: After this lesson you can"),
        (r"\b\d+ minutes\b", "how many minutes it takes"),
        (r"\*\*Predict", "a question before something is run: **Predict**"),
        (r"\*\*Break", "a fault that is tried: **Break**"),
        (r"(?m)^##+ Summary", "a section ## Summary"),
        (r"docs/glossary\.md", "a link to the glossary"),
    ):
        if not re.search(wanted, text):
            yield f"it lacks {what}"
    before, _, after = text.partition("# Summary")
    if "<details>" not in before:
        yield "no answer to a prediction is folded in <details>"
    if after.count("<details>") < 3:
        yield "it lacks three questions with folded answers after its summary"
    unfolded = re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL)
    words = len(re.findall(r"\S*\w\S*", unfolded))  # not the bars of a table or a bullet
    if words > _MOST_WORDS:
        yield f"it has {words} words outside of folded answers: {_MOST_WORDS} are the most"
    for link in re.findall(r"\]\((?!https?:|#|attachment:)([^)#\s]+)", text):
        if not (lesson.path.parent / link).exists():
            yield f"it links to {link}, which does not exist"


def _cells(lesson: Lesson) -> Iterator[str]:
    names = [cell["id"] for cell in lesson.notebook["cells"]]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"two cells are called {name}"
    for name in names:
        if not _ID.fullmatch(name):
            yield f"the cell {name} has no telling id: words in small letters, with dashes"
    for cell in lesson.cells:
        if (CHECKED in cell.tags) == (IGNORED in cell.tags):
            yield f"the cell {cell.id} must have one of the tags {CHECKED} and {IGNORED}"
        if not _ELSEWHERE.match(cell.source) and _TENSORFLOW.search(cell.source):
            yield f"the cell {cell.id} imports TensorFlow or Keras into the kernel"
        if not _ELSEWHERE.match(cell.source) and (hidden := _RETURNING.search(cell.source)):
            magic = hidden[0].split()[0]
            yield f"the cell {cell.id} shows nothing of {magic}: make it the last line"
    for name in sorted(lesson.wordless):
        yield f"the cell {name} shows a picture, and no words for who does not see it"
    if lesson.notebook["metadata"].get("language_info") != {"name": "python"}:
        yield 'its language_info is not {"name": "python"}'
    if "widgets" in lesson.notebook["metadata"] or "widget-view" in lesson.path.read_text():
        yield "it stores buttons, which do nothing in a stored notebook: scripts/run_notebooks.py"


def _start(lesson: Lesson) -> Iterator[str]:
    first = lesson.cells[0]
    lines = [
        re.sub(r" --(?:gpus|from lesson-\d\d)$", "", line) for line in first.source.splitlines()
    ]
    for line in ("%load_ext mwtutor", f"%mw_workspace lesson-{lesson.number}"):
        if line not in lines:
            yield f"its first code cell has no line {line}"
    if "setup" not in first.tags:
        yield "its first code cell has no tag setup"


def _predictions(lesson: Lesson) -> Iterator[str]:
    order = [cell["id"] for cell in lesson.notebook["cells"]]
    asked = [cell["id"] for cell in lesson.notebook["cells"] if _asks(cell)]
    free = [f"{lesson.series}-{letter}" for letter in ascii_lowercase]
    wanted = [one for one in free if one not in lesson.taken][: len(asked)]
    predicted = [one for cell in lesson.cells for one in _PREDICT.findall(cell.source)]
    found = [one for cell in lesson.cells for one in _OUTCOME.findall(cell.source)]
    listed = ", ".join(wanted) or "no question"
    if [number for number, _ in predicted] != wanted:
        yield f"its %mw_predict lines are not those of {listed}, in this order"
    if sorted(number for number, _ in found) != wanted:
        yield f"it has not one %mw_outcome line for each of {listed}"
    for question, number in zip(asked, wanted, strict=True):
        guess = next(
            (cell for cell in lesson.cells if f"%mw_predict {number} " in cell.source), None
        )
        shown = next(
            (cell for cell in lesson.cells if f"%mw_outcome {number} " in cell.source), None
        )
        if guess is None or shown is None:
            continue
        if order.index(guess.id) != order.index(question) + 1:
            yield f"%mw_predict {number} does not come right after its question, {question}"
        between = lesson.cells[lesson.cells.index(guess) + 1 : lesson.cells.index(shown)]
        if not between:
            yield f"no code cell lies between %mw_predict {number} and its outcome"
        values = dict(found)[number]
        if _NAME.findall(dict(predicted)[number]) != _NAME.findall(values):
            yield f"%mw_predict {number} and its outcome do not have the same names in one order"
        if re.search(r"(?:^| )\w+~", values) and CHECKED in shown.tags:
            yield f"the outcome of {number} is measured, so its cell cannot be compared"


def _asks(cell: dict[str, Any]) -> bool:
    return cell["cell_type"] == "markdown" and "**Predict" in "".join(cell["source"])


def _exercises(lesson: Lesson) -> Iterator[str]:
    order = [cell.id for cell in lesson.cells]
    for exercise in lesson.exercises:
        written = lesson.tagged(f"exercise-{exercise.id}")
        checks = lesson.tagged(f"check-{exercise.id}")
        if len(written) != 1 or len(checks) != 1:
            yield f"exercise {exercise.id} has not one cell and one check"
            continue
        if not same(written[0].source, exercise.stub):
            yield f"the cell of exercise {exercise.id} is not exactly its stub"
        if checks[0].source.strip() != f"%mw_check {exercise.id}":
            yield f"the check of exercise {exercise.id} is not %mw_check {exercise.id}"
        if CHECKED not in checks[0].tags:
            yield f"the check of exercise {exercise.id} has no tag {CHECKED}"
        if not checks[0].stored.startswith(f"{exercise.id}: not solved yet."):
            yield (
                f"the check of exercise {exercise.id} does not store what the stub gets:"
                " scripts/run_notebooks.py stores it, and the check must answer not_yet()"
            )
        run = [cell.id for cell in lesson.tagged(f"run-{exercise.id}")]
        places = [order.index(name) for name in (written[0].id, *run, checks[0].id)]
        if places != sorted(places):
            yield f"the cells of exercise {exercise.id} are not in the order stub, runs, check"
    known = {exercise.id for exercise in lesson.exercises}
    for cell in lesson.cells:
        for tag in cell.tags:
            if re.match(r"(?:exercise|run|check)-", tag) and exercise_of(tag) not in known:
                yield f"the cell {cell.id} is tagged {tag}, but there is no such exercise"


def _data(lesson: Lesson) -> Iterator[str]:
    least = 1 if lesson.taken else 2  # its other notebook has other exercises
    whole = [one for one in lesson.exercises if not one.is_writing_task]
    tests = any(cell.source.startswith("%mw_place ") for cell in lesson.cells)
    if not least <= len(whole) <= 4 and not lesson.clusters and not tests:
        yield f"it has {len(whole)} exercises: {least} to 4 are wanted"
    for exercise in lesson.exercises:
        name = f"exercise {exercise.id}"
        if exercise.id.rpartition("-")[0] != lesson.series:
            yield f"{name} is not named after the lesson, {lesson.series}-1 for example"
        fewest = 1 if exercise.is_writing_task else 2
        if not fewest <= len(exercise.hints) <= 4:
            yield f"{name} has {len(exercise.hints)} hints: {fewest} to 4 are wanted"
        if exercise.is_writing_task:
            yield from _writing_task(lesson, exercise)
        if len(exercise.sabotages) < 2:
            yield f"{name} has fewer than two sabotages"
        for text in (exercise.title, exercise.task, exercise.solution, exercise.reasoning):
            if not text.strip():
                yield f"{name} has an empty title, task, solution or reasoning"
        if _one_line(exercise.task) not in _one_line(lesson.text):
            yield f"the notebook's text does not have the task of {name} word for word"
        if any(not one.says.strip() or not one.misconception for one in exercise.sabotages):
            yield f"a sabotage of {name} does not say what its verdict says"


def _writing_task(lesson: Lesson, task: Exercise) -> Iterator[str]:
    """The faults of a writing task, which must be short and whose check must need no other cell."""
    lines = task.solution.strip().splitlines()
    if len(task.task.split()) > _MOST_WORDS_OF_A_TASK:
        yield f"the task of {task.id} has more than {_MOST_WORDS_OF_A_TASK} words"
    if not 2 <= len([line for line in lines if line.strip()]) <= 11:
        yield f"the solution of {task.id} has not 2 to 10 lines, and that of its `def`"
    if lesson.tagged(f"run-{task.id}") or task.session or task.launch:
        yield f"{task.id} needs runs, a session or cells: give it a number without `w`"
    others = [read(one.source) for one in lesson.cells if f"exercise-{task.id}" not in one.tags]
    taken = {name for one in others if one.place == "notebook" for name in one.assigned}
    for name in sorted(read(task.stub).assigned & taken):
        yield f"another cell of the notebook assigns {name}, which {task.id} defines"


def _clusters(lesson: Lesson) -> Iterator[str]:
    for cluster in lesson.clusters:
        name = f"cluster {cluster.id}"
        if f"| {cluster.id} | {cluster.title} |" not in lesson.text:
            yield f"the notebook's table has no row for {name} with its title"
        if not 2 <= len(cluster.hints) <= 4 or not cluster.sabotages:
            yield f"{name} has not 2 to 4 hints and a tempting wrong repair"
        if not 7 <= len(cluster.stub.splitlines()) <= 45:
            yield f"the program of {name} has {len(cluster.stub.splitlines())} lines"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _check_cells(lesson: Lesson) -> Iterator[str]:
    names = {cell.id for cell in lesson.cells}
    checks = {cell.id for cell in lesson.cells if cell.is_check}
    if not checks:
        yield "it has no check cell"
    for name in sorted(checks - {one.check for one in lesson.sabotages}):
        yield f"no sabotage is for the check cell {name}: tests/course/lesson_NN.py needs one"
    for name in sorted(checks):
        if not lesson.cell(name).stored:
            yield f"the check cell {name} stores no output: scripts/run_notebooks.py does it"
    for one in lesson.sabotages:
        if one.check not in checks:
            yield f"a sabotage is for {one.check}, which is not a check cell"
        if missing := sorted({one.cell, *one.needs} - names):
            yield f"a sabotage of {one.check} needs {missing[0]}, which does not exist"
        elif one.old not in lesson.cell(one.cell).source or one.old == one.new:
            yield f"a sabotage of {one.check} changes nothing in {one.cell}"
