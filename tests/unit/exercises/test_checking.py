"""A check: its verdict on a learner's code, whatever the code does, and what is recorded."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from mwtutor import exercises as api
from mwtutor.display.exercises import HintsView, ProgressView, SolutionView, VerdictView
from mwtutor.exceptions import BadInput
from mwtutor.exercises import Exercise, Record, Sabotage, Verdict, checking, not_yet, right, wrong
from mwtutor.exercises.catalogue import Own
from mwtutor.exercises.records import EXERCISES
from mwtutor.singletons import singleton
from tests.support.runs.directories import a_run
from tests.unit.run.record.test_life import supervisor


def square(work):
    """Examines a function of the learner."""
    function = work.value("square")
    if function is None:
        return not_yet()
    found = function(3)
    return right("It squares.") if found == 9 else wrong(f"Of 3 it makes {found}.")


EXERCISE = Exercise(
    "mine-1", "Squares", "Write `square`.", "square = None", square, ("Think.", "Multiply."),
    "def square(x):\n    return x * x", "A square is a product.", (), seconds=1.0,
)  # fmt: skip


@pytest.fixture
def course(work):
    """The exercise above, and others like it."""

    def add(**changed) -> Exercise:
        one = replace(EXERCISE, **changed)
        singleton(Own)[one.id] = one
        return one

    add()
    return add


def said(**variables) -> str:
    return repr(VerdictView(api.check("mine-1", variables)))


def test_what_a_learner_reads(course):
    assert said() == (
        "mine-1: not solved yet. Fill in its cell, run it, and check again.\n"
        "For a hint: %mw_hint mine-1"
    )
    assert said(square=lambda x: 2 * x) == (
        "mine-1: not right yet. Of 3 it makes 6.\nFor a hint: %mw_hint mine-1"
    )
    assert said(square=lambda x: x * x) == "mine-1: right. It squares."


FAILING = """
def raises(x):
    return 1 / (x - 3)

def loops(x):
    while True:
        pass

class Unspeakable(Exception):
    def __str__(self):
        raise RuntimeError

def unspeakable(x):
    raise Unspeakable

def leaves(x):
    raise SystemExit(0)

def takes_two(x, y):
    return x

def deep(x):
    import json
    json.loads("{")
"""


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("raises", "Your code raised ZeroDivisionError: division by zero (in raises, line 3)"),
        ("takes_two", "Your code raised TypeError: takes_two() missing 1 required"),
        ("len", "Your code raised TypeError: object of type 'int' has no len()"),
        ("unspeakable", "Your code raised Unspeakable (in unspeakable, line 14)"),
        ("leaves", "Your code raised SystemExit: 0"),
        ("deep", "Your code raised JSONDecodeError: Expecting property name"),
        (
            "loops",
            "The check was stopped at its time limit of 1 s: look for an infinite loop",
        ),
    ],
)
def test_code_that_fails_is_told_how(course, function, words):
    course(seconds=1.0 if function == "loops" else 60.0)
    cell = {"len": len}
    exec(compile(FAILING, "<ipython-input-1-0>", "exec"), cell)
    told = said(square=cell[function])
    assert told.startswith(f"mine-1: not right yet. {words}")
    assert "Traceback" not in told
    assert "mwtutor/" not in told


@pytest.mark.parametrize(
    ("faulty", "words"),
    [
        (lambda work: 1 / 0, "The check itself failed: ZeroDivisionError: division by zero."),
        (lambda work: None, "The check itself failed: its check returned NoneType."),
        (lambda work: Verdict("splendid", ""), "its check returned Verdict"),
    ],
)
def test_a_fault_of_the_exercise_is_not_the_learners(course, faulty, words):
    course(check=faulty)
    checked = api.check("mine-1", {"square": abs})
    assert checked.verdict.status == "not judged"
    assert words in checked.verdict.words
    assert repr(VerdictView(checked)).startswith("mine-1: could not be judged.")
    assert EXERCISES.all() == {}


def test_a_verdict_is_one_line_that_cannot_act(course):
    course(check=lambda work: wrong("a\nb\x1b[31m\u202e<b>" + "x" * 9000))
    view = VerdictView(api.check("mine-1", {}))
    assert repr(view).startswith("mine-1: not right yet. a b")
    assert "\x1b" not in repr(view)
    assert "\u202e" not in repr(view)
    assert len(repr(view)) < 3000
    assert "<b>" not in view._repr_html_().replace('<b class="', "")


def test_builtin_names_that_a_learner_has_changed_do_not_matter(course, monkeypatch):
    import builtins

    course(check=lambda work: right(str(sum([1, 2]))))
    spoilt = {"sum": None, "sorted": 3, "min": len}
    for name, value in spoilt.items():
        monkeypatch.setattr(builtins, name, value)
    checked = api.check("mine-1", {})
    kept = {name: getattr(builtins, name) for name in spoilt}
    monkeypatch.undo()
    assert checked.verdict == right("3")
    assert kept == spoilt, "the learner's are put back"


def test_what_notebooks_store_has_no_style(course):
    assert VerdictView(api.check("mine-1", {}))._repr_html_() is None
    assert "mw-good" in (
        VerdictView(api.check("mine-1", {"square": lambda x: 9}))._repr_html_() or ""
    )


def test_a_run_that_goes_on_is_said_to(course, work):
    course(check=lambda one: wrong("No loss.") if one.run("main") else not_yet("Nothing ran."))
    assert said().startswith("mine-1: not solved yet. Nothing ran.")
    with supervisor(a_run()):
        assert "main is still running: wait for it (%mw_wait main), and check again." in said()


def test_expressions_of_a_session_that_there_is_not(course):
    asked = []

    def look(work):
        asked.append(work.session.get("x"))
        return not_yet(f"{len(work.session['x'])} workers")

    course(check=look, session=("x",))
    told = said()
    assert told.startswith("mine-1: not solved yet. 0 workers\nThere is no session yet.")


@pytest.mark.parametrize("number", ["mine-9", "77-1", "nonsense", "", "../x-1", None, 3])
def test_an_exercise_that_there_is_not(course, number):
    with pytest.raises(BadInput) as error:
        api.check(number)
    assert error.value.problem
    assert error.value.remedy


def test_a_lesson_of_one_digit_is_told_its_number():
    with pytest.raises(BadInput) as error:
        api.check("0-1")
    assert error.value.remedy == "A lesson's number has two digits: write 00."


def test_what_is_noted(course, work):
    said()
    assert EXERCISES.all() == {}, "a stub is not an attempt"
    course(sabotages=(Sabotage("a square is a double", "", "it makes 6"),))
    said(square=lambda x: 2 * x)
    said(square=lambda x: x * x)
    said(square=abs)
    assert EXERCISES.all() == {
        "mine-1": Record(
            solved=True, attempts=3, tries=2, misconceptions=("a square is a double", "")
        )
    }
    assert json.loads((work / ".mwtutor" / "progress.json").read_text())["mine-1"]["attempts"] == 3


def test_it_is_noted_beside_the_workspace_and_stays_when_that_is_emptied(course, work):
    api.workspace("lesson-mine")
    said(square=lambda x: x * x)
    api.workspace("lesson-mine")
    assert EXERCISES.all()["mine-1"].solved
    assert (work / ".mwtutor" / "progress.json").exists()
    assert (work / ".mwtutor" / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize(
    "text",
    ["", "{", "[1]", '{"mine-1": 3}', '{"mine-1": {"attempts": "x", "hints": -7}}', "\0",
     '{"mine-1": {"hints": NaN}}', '{"mine-1": {"hints": true}}', "[" * 100_000],
)  # fmt: skip
def test_notes_that_are_damaged_are_kept_aside_and_said_to_be(course, work, text):
    api.hint("mine-1")
    file = work / ".mwtutor" / "progress.json"
    file.write_text(text)
    with pytest.raises(BadInput, match="Your progress cannot be read"):
        api.progress("mine")
    assert file.read_text() == text, "looking changes nothing"
    assert "It was renamed to progress.json.damaged-1" in said(square=abs)
    assert (work / ".mwtutor" / "progress.json.damaged-1").read_text() == text
    assert EXERCISES.all()["mine-1"].attempts == 1
    file.write_text(text)
    assert "It was renamed to progress.json.damaged-2" in repr(HintsView(api.hint("mine-1")))
    assert not EXERCISES.all()["mine-1"].solved


def test_what_is_legible_of_damaged_notes_is_taken_over(course, work):
    api.hint("mine-1")
    file = work / ".mwtutor" / "progress.json"
    file.write_text('{"03-1": {"solved": true}, "mine-1": 7}')
    api.hint("mine-1")
    assert EXERCISES.all()["03-1"].solved
    assert EXERCISES.all()["mine-1"].hints == 1


def test_one_more_hint_each_time(course):
    shown = [repr(HintsView(api.hint("mine-1"))) for _ in range(3)]
    end = "There are no more hints. The solution: %mw_solution mine-1"
    assert shown == [
        "mine-1, hint 1 of 2: Think.",
        f"mine-1, hint 2 of 2: Multiply.\n{end}",
        f"mine-1, hint 1 of 2: Think.\nmine-1, hint 2 of 2: Multiply.\n{end}",
    ]
    assert EXERCISES.all()["mine-1"].hints == 2


def test_the_solution_comes_with_its_reasons(course):
    view = SolutionView(api.solution("mine-1"))
    for shown in (repr(view), view._repr_markdown_()):
        assert EXERCISE.solution in shown
        assert EXERCISE.reasoning in shown
    assert EXERCISES.all()["mine-1"].solution


def test_progress(course):
    course(id="mine-2", title="Cubes <b>", hard=True)
    said(square=lambda x: x * x)
    api.hint("mine-1")
    view = ProgressView(api.progress("mine"), api.score("mine"))
    assert repr(view).splitlines() == [
        "exercise  title             state    attempts  hints   solution",
        "mine-1    Squares           solved   1         1 of 2",
        "mine-2    Cubes <b> (hard)  not yet            0 of 2",
        "1 of 2 exercises are solved.",
    ]
    assert "Cubes &lt;b&gt; (hard)" in view._repr_html_()
    with pytest.raises(BadInput, match="There is no lesson 77"):
        api.progress("77")


# -- a course author's own file -----------------------------------------------------------------


def test_a_file_of_exercises_is_found_from_the_workspace_too(work, write):
    write("course.py", "from tests.unit.exercises.test_checking import EXERCISE\n"
          "EXERCISES = (EXERCISE,)\n")  # fmt: skip
    api.workspace("lesson-mine")
    assert [one.id for one in api.load("course.py")] == ["mine-1"]
    assert said(square=lambda x: x * x) == "mine-1: right. It squares."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "course.py does not exist"),
        ("x = ", "course.py cannot be executed: SyntaxError"),
        ("y = 1\n1 / 0\n", "ZeroDivisionError: division by zero, line 2"),
        ("import sys\nsys.exit(3)\n", "SystemExit"),
        ("", "course.py has no exercises"),
        ("EXERCISES = ()", "course.py has no exercises"),
        ("EXERCISES = (1,)", "contains an object of type int"),
    ],
)
def test_a_file_without_exercises_is_told_why(work, text, words):
    if text is not None:
        (work / "course.py").write_text(text)
    with pytest.raises(BadInput) as error:
        api.load("course.py")
    assert words in error.value.problem
    assert error.value.remedy
    assert singleton(Own) == {}


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("seen", {"seen"}),
        ("[sum(row) for _, row in seen] + [len(steps)]", {"len", "seen", "steps", "sum"}),
        ("(lambda: noted.rows)()", {"noted"}),
    ],
)
def test_what_an_expression_takes_from_the_workers(expression, names):
    assert checking._names(expression) == names
