"""Write grades for their readers: a table, Gradescope's results, and a page per learner."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from mwtutor.exceptions import BadInput, message_of
from mwtutor.exercises.grading.grades import Checks, Grade, Learner
from mwtutor.system.files import write_whole

#: The table, and the directories of pages and of Gradescope's files.
TABLE, PAGES, GRADESCOPE = "grades.csv", "feedback", "gradescope"

_SHELL = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 45em; margin: 2em auto; padding: 0 1em }}
</style></head><body>
<main><h1>{title}</h1>
{body}
</main></body></html>
"""


def write(place: Path, learners: Mapping[str, Learner], checks: Sequence[Checks]) -> None:
    """Write ``grades.csv``, ``feedback/NAME.html`` and ``gradescope/NAME/results.json``.

    Gradescope's format: https://gradescope-autograders.readthedocs.io/en/latest/specs/

    Raises:
        BadInput: a file cannot be written.
    """
    try:
        write_whole(place / TABLE, _table(learners, checks).encode())
        for name, one in learners.items():
            file = _file_name(name)
            for directory in (place / PAGES, place / GRADESCOPE / file):
                directory.mkdir(parents=True, exist_ok=True)
            write_whole(place / PAGES / f"{file}.html", _page(name, one, checks))
            results = json.dumps(_results(one, checks), indent=1).encode()
            write_whole(place / GRADESCOPE / file / "results.json", results)
    except OSError as error:
        raise BadInput(
            f"The results cannot be written to {place}: {message_of(error)}.",
            "Name another directory with --to.",
        ) from None


def remove(place: Path, learners: Sequence[str]) -> None:
    """Remove the page and the file for Gradescope of learners who are no longer graded.

    Raises:
        BadInput: a file cannot be removed.
    """
    try:
        for name in map(_file_name, learners):
            (place / PAGES / f"{name}.html").unlink(missing_ok=True)
            results = place / GRADESCOPE / name
            (results / "results.json").unlink(missing_ok=True)
            if results.is_dir():
                results.rmdir()
    except OSError as error:
        raise BadInput(
            f"Earlier results in {place} cannot be removed: {message_of(error)}.",
            "Remove them yourself, or name another directory with --to.",
        ) from None


def _file_name(learner: str) -> str:
    """A name that is a valid file name everywhere, different for different learners."""
    return re.sub(r"[^\w.@ -]", lambda found: f"%{ord(found[0]):x}", learner)


def _table(learners: Mapping[str, Learner], checks: Sequence[Checks]) -> str:
    ids = [one.exercise.id for one in checks]
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["learner", *ids, "points", "possible", "needs review"])
    possible = sum(one.points for one in checks)
    for name, one in learners.items():
        points = [f"{one.grades[key].points:g}" if key in one.grades else "" for key in ids]
        row = [_cell(name), *points, f"{one.points:g}", f"{possible:g}", " ".join(one.to_review)]
        table.writerow(row)
    return text.getvalue()


def _cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def words(grade: Grade) -> list[str]:
    """A grade in words, a paragraph for each check."""
    if not grade.findings:
        return [grade.why]
    return [f"{one.check}: {one.status}. {one.words}".rstrip() for one in grade.findings]


def page(title: str, body: str) -> bytes:
    """A page that loads nothing, with a body that is already HTML."""
    return _SHELL.format(title=escape(title), body=body).encode()


def _page(name: str, learner: Learner, checks: Sequence[Checks]) -> bytes:
    body = [f"<p>{escape(problem)}</p>" for problem in learner.problems]
    for one in checks:
        if (grade := learner.grades.get(one.exercise.id)) is None:
            continue
        title = f"{one.exercise.id} {one.exercise.title}: {grade.points:g} of {grade.possible:g}"
        body.append(f"<h2>{escape(title)}</h2>")
        body += [f"<p>{escape(paragraph)}</p>" for paragraph in words(grade)]
    possible = sum(one.points for one in checks)
    return page(f"{name}: {learner.points:g} of {possible:g} points", "\n".join(body))


def _results(learner: Learner, checks: Sequence[Checks]) -> dict[str, object]:
    tests = []
    for one in checks:
        if (grade := learner.grades.get(one.exercise.id)) is not None:
            tests.append(
                {
                    "name": f"{one.exercise.id} {one.exercise.title}",
                    "score": grade.points,
                    "max_score": grade.possible,
                    "status": "passed" if grade.points == grade.possible else "failed",
                    "output": "\n\n".join(words(grade)),
                }
            )
    return {"score": learner.points, "output": "\n".join(learner.problems), "tests": tests}
