"""The pages match the code: their numbers, names and lines could drift from it."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import mwtutor
from mwtutor.commands import dispatch
from mwtutor.interface import MAGIC, TERMINAL
from mwtutor.run.record import event_reading

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()


def source_of(*rooms: str) -> str:
    paths = [path for room in rooms for path in sorted((ROOT / "mwtutor" / room).rglob("*.py"))]
    return "\n".join(path.read_text() for path in paths)


def table(text: str, beginning: str) -> str:
    return re.search(rf"^\| {re.escape(beginning)}.*(?:\n\|.*)*", text, re.M).group()


def test_the_readme_is_read_to_its_end():
    assert README.count("\n") <= 150


def test_the_readme_and_the_page_agree_on_what_works_where():
    page = (DOCS / "explanation" / "bridges.md").read_text()
    assert table(README, "| TensorFlow 2.15") == table(page, "| TensorFlow 2.15")


@pytest.mark.parametrize(
    "notebook", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.name
)
def test_the_course_has_each_lesson_with_its_minutes(notebook: Path):
    row = re.search(rf"\| \[[^]]+\]\(notebooks/{notebook.name}\) \| (\d*) ?\| \w", README)
    assert row, "it is not in the README's table"
    first = "".join(json.loads(notebook.read_text())["cells"][0]["source"])
    instructors = (DOCS / "instructors.md").read_text()
    number = notebook.name.partition("_")[0]
    section = re.search(rf"^## {number} .*\n\n(\d+) minutes", instructors, re.M)
    if not row[1]:
        return  # not a lesson yet
    assert section, "docs/instructors.md has no section '## NN Title' that begins with 'N minutes'"
    said = {
        "README's table": row[1],
        "the notebook's first cell": "".join(re.findall(r"\d+(?= minutes)", first)[:1]),
        "docs/instructors.md": section[1],
    }
    assert len(set(said.values())) == 1, f"the minutes differ: {said}"


def test_a_terms_plan_has_the_lessons_minutes():
    minutes = dict(re.findall(r"\| \[(\S+) .*\.ipynb\) \| (\d+) \|", README))
    page = (DOCS / "how-to" / "teaching.md").read_text()
    plan = re.findall(r"^\| \d+ \| (.+?) \| (\d+) \|", page, re.M)[:12]
    for lessons, said in plan:
        assert sum(int(minutes[one]) for one in lessons.split(", ")) == int(said), lessons
    assert len(plan) == 12


def test_emphasis_ends_as_it_begins():
    for page in sorted(DOCS.rglob("*.md")):
        assert not re.findall(r"^- \*\*[^*\n]+\*(?!\*)", page.read_text(), re.MULTILINE), page


def test_every_public_name_has_its_reference():
    page = (DOCS / "reference" / "python.md").read_text()
    shown = re.findall(r"auto(?:function|class):: (\w+)$", page, re.M)
    in_the_tree = ["MwtutorError"]  # in the tree of all errors
    assert sorted(shown + in_the_tree) == sorted(mwtutor.__all__)


def test_every_command_is_on_the_page_of_commands_once():
    page = (DOCS / "reference" / "commands.md").read_text()
    named = " ".join(re.findall(r"^```\{mwtutor-verbs\} (.*)$", page, re.M)).split()
    terminal = set(dispatch.TERMINAL_VERBS) - set(dispatch.RUN_VERBS)
    assert sorted(named) == sorted([*dispatch.verbs(), *(f"mwtutor:{one}" for one in terminal)])


def test_a_lesson_is_offered_elsewhere_once_the_repository_has_a_page(monkeypatch):
    pytest.importorskip("sphinx", reason="it makes the site")
    monkeypatch.syspath_prepend(str(DOCS / "_site"))
    links = importlib.import_module("mwtutor_site").lesson_links
    assert "http" not in links("00_the_map", "")
    offered = links("00_the_map", "https://github.com/somebody/mwtutor")
    assert "/v2/gh/somebody/mwtutor/main?urlpath=lab/tree/notebooks/00_the_map.ipynb" in offered
    assert "/github/somebody/mwtutor/blob/main/notebooks/00_the_map.ipynb" in offered


def test_on_the_map_one_lesson_is_first_and_each_other_says_what_it_comes_after(monkeypatch):
    pytest.importorskip("sphinx", reason="it makes the site")
    monkeypatch.syspath_prepend(str(DOCS / "_site"))
    shown = importlib.import_module("mwtutor_site")._course_map()
    cards = dict(re.findall(r"-card\} Lesson (\w+).*\n(?::.*\n)+\n(.*)\n", shown))
    assert len(cards) == len(list((ROOT / "notebooks").glob("*.ipynb")))
    assert [lesson for lesson, words in cards.items() if words == "first"] == ["00"]
    assert cards["22"] == "after the lesson named beside each cluster"
    assert shown.index("Lesson 21") < shown.index("Lesson 22")
    assert shown.count("Short path: section") == len(cards) - 1  # 00b, the test, is short


def explained(one):
    """The fields that a class's docstring and those of its parents explain."""
    attributes = (one.__doc__ or "").partition("Attributes:")[2]
    return re.findall(r"^        (\w+): ", attributes, re.M)


@pytest.mark.parametrize("event", event_reading.KINDS.values())
def test_every_event_and_its_fields_are_explained(event):
    """docs/_site/mwtutor_site.py generates the reference from these docstrings."""
    assert "mwtutor-events" in (DOCS / "reference" / "files.md").read_text()
    assert (event.__doc__ or "").partition("\n")[0].endswith("."), "one line says what happened"
    named = [name for one in event.__mro__ for name in explained(one)]
    assert sorted(named) == sorted(field.name for field in dataclasses.fields(event))


def test_every_variable_of_ours_is_explained():
    page = (DOCS / "reference" / "environment.md").read_text()
    assert set(re.findall(r'"(MWTUTOR_\w+)"', source_of(""))) <= set(re.findall(r"`(\w+)`", page))


def test_every_make_target_is_explained():
    listed = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.M)
    explained = re.findall(r"^\| `make ([\w-]+)` \|", CONTRIBUTING, re.M)
    assert sorted(explained) == sorted(set(listed) - {"clean"})


def test_every_extra_test_is_explained():
    known = re.search(r"^EXTRA = (.*)$", (ROOT / "Makefile").read_text(), re.M)[1].split()
    table = CONTRIBUTING.partition("### Tests that need more")[2].partition("\n### ")[0]
    assert re.findall(r"^\| `([\w-]+)` \|", table, re.M) == known


def test_every_promise_of_the_readme_is_proved_by_make_test():
    """The tests that CONTRIBUTING names are among those that pytest selects by itself."""
    table = CONTRIBUTING.partition("### What make test proves")[2].partition("\n## ")[0]
    named = {f"tests/{test}" for test in re.findall(r"\| `([\w/.:]+)` \|$", table, re.M)}
    assert len(named) > 30
    files = sorted({test.partition("::")[0] for test in named})
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run([*command, *files], cwd=ROOT, env=env, capture_output=True, text=True)
    selected = {line.partition("[")[0] for line in done.stdout.splitlines() if "::" in line}
    assert named <= selected, done.stdout[-1000:]


def test_a_pull_request_is_checked_like_the_rest():
    jobs = (ROOT / ".github" / "workflows" / "pull-request.yml").read_text()
    ci = (ROOT / ".ci" / "run").read_text()
    legs = set(re.findall(r"^\s*leg \S+ (.+?) \w*PYTHON=", ci, re.M))
    assert {"demo", "lint", "test", "test-all AFTER=test"} <= legs
    missing = [leg for leg in legs if not re.search(rf"make {leg}( \w+=python)?$", jobs, re.M)]
    assert missing == []


def typed() -> list[tuple[str, str]]:
    """Each command line in a page for the reader to type, with the page's name."""
    found = []
    for page in [ROOT / "README.md", *sorted((DOCS / "how-to").glob("*.md"))]:
        for block in re.findall(r"^```\w*\n(.*?)^```", page.read_text(), re.M | re.S):
            for part in re.split(r"\n|\s{2,}|In \[\d\]: ", block):
                if re.match(r"%%?mw|mwtutor \w", part):
                    part = re.split(r" (?:>|\||&&) ", part)[0]  # the rest belongs to the shell
                    found.append((page.name, part.replace("[", "").replace("]", "")))
    return found


@pytest.mark.parametrize(("page", "line"), typed())
def test_what_a_page_tells_to_type_can_be_typed(page: str, line: str):
    verb, *words = shlex.split(re.sub(r"^%%?(mw_)?|^mwtutor ", "", line), comments=True) or ["mw"]
    if line.startswith("%%"):
        verb = line.split()[0].removeprefix("%%")
    style = TERMINAL if line.startswith("mwtutor") else MAGIC
    assert dispatch.parse(verb, words, style).verb == verb


def test_the_first_program_is_there_in_the_folder_that_make_lab_opens():
    folder = re.search(r"-m jupyterlab (\S+)", (ROOT / "Makefile").read_text())[1]
    (program,) = re.findall(r"^In \[\d\]: %mw_launch 2 (\S+)$", README, re.M)
    assert (ROOT / folder / program).is_file()


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path):
    spec = importlib.util.spec_from_file_location("links", ROOT / "scripts" / "check_links.py")
    links = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(links)
    (tmp_path / "a b.html").write_text('<p id="there"><img src="none.png"><a href="#there">')
    (tmp_path / "page.html").write_text(
        '<a href="a%20b.html#there"></a><a href="a%20b.html#gone"></a><a href="gone.html"></a>'
        '<a href="https://example.org/gone"></a><a name="x" href="#x"></a>'
    )
    assert sorted(links.broken(tmp_path)) == [
        "a b.html: none.png",
        "page.html: a%20b.html#gone",
        "page.html: gone.html",
    ]
    (tmp_path / "page.html").write_text("")
    (tmp_path / "a b.html").write_text("")
    assert links.main(str(tmp_path)) == 0
