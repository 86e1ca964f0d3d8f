"""The pages say what there is: numbers, names and lines that could drift from the code."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
from pathlib import Path

import pytest

import mwtutor
from mwtutor.commands import dispatch
from mwtutor.commands.parser import MAGIC, TERMINAL
from mwtutor.supervisor import pipe_protocol

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text()


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
    section = re.search(rf"^## {notebook.name[:2]} .*\n\n(\d+) minutes", instructors, re.M)
    if not row[1]:
        return  # it is not a lesson yet
    assert section, "docs/instructors.md has no section '## NN Title' that begins with 'N minutes'"
    said = {
        "README's table": row[1],
        "the notebook's first cell": "".join(re.findall(r"\d+(?= minutes)", first)[:1]),
        "docs/instructors.md": section[1],
    }
    assert len(set(said.values())) == 1, f"the minutes differ: {said}"


def test_every_public_name_has_its_reference():
    page = (DOCS / "reference" / "python.md").read_text()
    shown = re.findall(r"auto(?:function|class):: (\w+)$", page, re.M)
    in_the_tree = ["MwtutorError"]  # stands there with all other errors
    assert sorted(shown + in_the_tree) == sorted(mwtutor.__all__)


def test_every_event_is_explained():
    page = (DOCS / "reference" / "files.md").read_text()
    explained = re.findall(r"^\| `(\w+)` \|", page[page.index("## Events") :], re.M)
    source = source_of("supervisor", "run")
    recorded = re.findall(r'record\(\s*"(\w+)"(?: if \w+ else "(\w+)")?|"event": "(\w+)"', source)
    there = {name for found in recorded for name in found if name} | set(pipe_protocol._KNOWN)
    assert set(explained) == there
    assert len(explained) == len(there)


def test_every_variable_of_ours_is_explained():
    page = (DOCS / "reference" / "environment.md").read_text()
    assert set(re.findall(r'"(MWTUTOR_\w+)"', source_of(""))) <= set(re.findall(r"`(\w+)`", page))


def test_every_make_target_is_explained():
    phony = re.search(r"^\.PHONY: ((?:.*\\\n)*.*)$", (ROOT / "Makefile").read_text(), re.M)
    targets = set(phony[1].replace("\\", "").split()) - {"chromium", "clean", "horovod-system"}
    explained = re.findall(r"^\| `make ([\w-]+)` \|", (ROOT / "CONTRIBUTING.md").read_text(), re.M)
    assert sorted(explained) == sorted(targets)


def test_a_pull_request_is_checked_like_the_rest():
    jobs = (ROOT / ".github" / "workflows" / "pull-request.yml").read_text()
    lines = re.findall(r"^\s*make ([\w -]+?) [A-Z_]+=", (ROOT / ".ci" / "run").read_text(), re.M)
    legs = {target for line in lines for target in line.split()}
    assert {"demo", "lint", "test"} <= legs
    assert legs <= set(re.findall(r"[\w-]+", " ".join(re.findall(r"make (.*)", jobs))))


def typed() -> list[tuple[str, str]]:
    """Each line that a page tells a reader to type, with the page's name."""
    found = []
    for page in [ROOT / "README.md", *sorted((DOCS / "how-to").glob("*.md"))]:
        for block in re.findall(r"^```\w*\n(.*?)^```", page.read_text(), re.M | re.S):
            for part in re.split(r"\n|\s{2,}|In \[\d\]: ", block):
                if re.match(r"%%?mw|mwtutor \w", part):
                    part = re.split(r" (?:>|\||&&) ", part)[0]  # then it is the shell's
                    found.append((page.name, part.replace("[", "").replace("]", "")))
    return found


@pytest.mark.parametrize(("page", "line"), typed())
def test_what_a_page_tells_to_type_can_be_typed(page: str, line: str):
    verb, *words = shlex.split(re.sub(r"^%%?(mw_)?|^mwtutor ", "", line), comments=True) or ["mw"]
    if line.startswith("%%"):
        verb = line.split()[0].removeprefix("%%")
    style = TERMINAL if line.startswith("mwtutor") else MAGIC
    assert dispatch.parse(verb, words, style).verb == verb


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
