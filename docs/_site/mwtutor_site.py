"""The parts of the site that come from the package, and the anchors that pages write as HTML."""

from __future__ import annotations

import argparse
import inspect
import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from mwtutor.commands import dispatch
from mwtutor.interface import MAGIC, TERMINAL, Style
from mwtutor.run.record import event_reading

ROOT = Path(__file__).parents[2]

_COURSE = "```{mwtutor-course}\n```\n"
_MAP = "```{mwtutor-map}\n```\n"
_VERBS = re.compile(r"```\{mwtutor-verbs\} (.*)\n```\n")
_EVENTS = "```{mwtutor-events}\n```\n"
_LINK = re.compile(r"\]\((?!\w+:|#)")
_ANCHOR = re.compile(r'<a id="([^"]+)">')


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_config_value("address", "", "html")  # the repository's page, where it has one
    app.connect("source-read", _insert)
    app.connect("doctree-read", _note_anchors)
    app.connect("build-finished", _write_markdown)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _insert(app: Sphinx, page: str, source: list[str]) -> None:
    source[0] = _with_tables(source[0])
    if _MAP in source[0]:
        source[0] = source[0].replace(_MAP, _course_map())
    if page.startswith("notebooks/"):
        notebook = json.loads(source[0])
        # Notebooks are stored without the details of a front end.
        notebook["metadata"]["language_info"]["pygments_lexer"] = "ipython3"
        name = page.removeprefix("notebooks/")
        buttons = {"cell_type": "markdown", "id": "site-buttons", "metadata": {}}
        notebook["cells"].insert(1, {**buttons, "source": lesson_links(name, app.config.address)})
        source[0] = json.dumps(notebook)


def _with_tables(text: str) -> str:
    text = _VERBS.sub(_sections, text)
    if _EVENTS in text:
        text = text.replace(_EVENTS, _event_table())
    return text.replace(_COURSE, _course_table()) if _COURSE in text else text


def _write_markdown(app: Sphinx, error: Exception | None) -> None:
    """Write each page as plain Markdown next to it, and ``llms.txt``, which lists them."""
    if error or app.builder.name != "html":
        return
    listed = ["# mwtutor", "", "> Multi-worker TensorFlow that you run in a notebook.", ""]
    for page in sorted(app.env.found_docs):
        source = Path(app.env.doc2path(page))
        text = source.read_text()
        text = _cells(json.loads(text)) if source.suffix == ".ipynb" else _with_tables(text)
        target = Path(app.outdir, f"{page}.md")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        listed.append(f"- [{app.env.titles[page].astext()}]({page}.md)")
    Path(app.outdir, "llms.txt").write_text("\n".join(listed) + "\n")


def _cells(notebook: dict[str, Any]) -> str:
    texts = [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
    return "\n\n".join(
        f"```python\n{text}\n```" if kind == "code" else text for kind, text in texts
    )


def _note_anchors(app: Sphinx, doctree: nodes.document) -> None:
    """Let links to ``page.md#word`` also lead to ``<a id="word">``, and to headings as JupyterLab
    names them: ``#A-word-of-it``. MyST itself links only to headings.
    """
    slugs = app.env.metadata[app.env.docname].setdefault("myst_slugs", {})
    for section in doctree.findall(nodes.section):
        title = section.next_node(nodes.title).astext()
        slugs.setdefault(title.replace(" ", "-"), (section.line or 0, section["ids"][0], title))
    for raw in doctree.findall(nodes.raw):
        for name in _ANCHOR.findall(raw.astext()):
            slugs[name] = (raw.line or 0, name, name)


# -- the course ------------------------------------------------------------------------------------


def lesson_links(name: str, address: str) -> str:
    """Links to a lesson: always to its file, and to services once its repository has a page."""
    links = [f"{{download}}`Download this notebook <{name}.ipynb>`"]
    if address.startswith("https://github.com/"):
        repository = address.removeprefix("https://github.com/")
        path = f"notebooks/{name}.ipynb"
        binder = f"https://mybinder.org/v2/gh/{repository}/main?urlpath=lab/tree/{path}"
        colab = f"https://colab.research.google.com/github/{repository}/blob/main/{path}"
        links += [f"[Open in Binder]({binder})", f"[Open in Colab]({colab})"]
    return " · ".join(links)


def _course_table() -> str:
    """README's table of lessons, whose links begin at the top of the repository."""
    readme = (ROOT / "README.md").read_text()
    table = re.search(r"^\| notebook \|.*\n(?:\|.*\n)+", readme, re.M)
    assert table, "README has no table of lessons"
    return _LINK.sub("](../", table[0])


def _course_map() -> str:
    """A card for each lesson, in steps: after all lessons that its first cell says it needs."""
    needs, after, titles, short = {}, {}, {}, {}
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        first = "".join(json.loads(path.read_text())["cells"][0]["source"])
        before = first.partition("You need:**")[2].partition("\n\n")[0]
        named = sorted(set(re.findall(r"\]\((\w+)\.ipynb\)", before)))
        after[path.stem] = (
            ", ".join(one.partition("_")[0] for one in named) or before.partition(".")[0].strip()
        )
        needs[path.stem] = named or (list(needs) if before else [])  # may need any of them
        short[path.stem] = re.findall(r"\*\*Short\s+path:\*\* ([^.]+)\.", first)
        titles[path.stem] = first.partition("\n")[0].lstrip("# ")

    def step(lesson: str) -> int:
        return 1 + max(map(step, needs[lesson]), default=0)

    parts = []
    for number in sorted({step(lesson) for lesson in needs}):
        cards = [
            f":::{{grid-item-card}} {titles[lesson]}\n"
            + f":link: ../notebooks/{lesson}\n:link-type: doc\n\n"
            + (f"after {after[lesson]}" if after[lesson] else "first")
            + "".join(f"\n\nShort path: {sections}" for sections in short[lesson])
            + "\n:::\n"
            for lesson in needs
            if step(lesson) == number
        ]
        parts.append(f"::::{{grid}} 1 2 3 3\n:gutter: 2\n\n{''.join(cards)}::::\n")
    return "\n".join(parts)


# -- the events, from their types -----------------------------------------------------------------


def _event_table() -> str:
    rows = [
        f"| `{event.kind}` | {_explained(event)[0]} | "
        + "<br>".join(f"`{name}`: {words}" for name, words in _event_fields(event).items())
        + " |"
        for event in event_reading.KINDS.values()
    ]
    return "\n".join(["| event | what happened | fields |", "|---|---|---|", *rows]) + "\n"


def _event_fields(event: type) -> dict[str, str]:
    """What each field means, in the order in which they are written."""
    words = {name: text for one in event.__mro__ for name, text in _explained(one)[1].items()}
    return {one.name: words[one.name] for one in fields(event) if one.name != "t"}


def _explained(one: type) -> tuple[str, dict[str, str]]:
    text = (inspect.getdoc(one) or "").replace("``", "`")
    summary, _, attributes = text.partition("\n\nAttributes:\n")
    found = re.findall(r"^    (\w+): (.*(?:\n      .*)*)", attributes, re.M)
    return summary, {name: re.sub(r"\s+", " ", words).rstrip(".") for name, words in found}


# -- a command, from its parser -------------------------------------------------------------------


def _sections(named: re.Match[str]) -> str:
    """The commands that a block of the page names; ``mwtutor:`` marks one for terminals only."""
    parts = []
    for word in named[1].split():
        terminal, _, name = word.rpartition(":")
        parts.append(_section(name, TERMINAL if terminal else MAGIC))
    return "\n".join(parts)


def _section(name: str, style: Style) -> str:
    verb = dispatch.find(name, style)
    parser = dispatch.parser(name, style)
    faces = [parser.prog]
    if style is MAGIC and name in dispatch.RUN_VERBS:
        faces.append(TERMINAL.verb(name))
    parts = [
        f"### {parser.prog}",
        " · ".join(f"`{face}`" for face in faces),
        _text(verb.summary),
        f"```text\n{parser.format_usage().removeprefix('usage: ')}```",
        _table(parser),
    ]
    if verb.examples:
        examples = verb.examples.replace("@", parser.style.prefix)
        lines = "\n".join(line.removeprefix("  ") for line in examples.splitlines())
        parts.append(f"```text\n{lines}\n```")
    return "\n\n".join(filter(None, parts)) + "\n"


def _table(parser: argparse.ArgumentParser) -> str:
    shown = [action for action in parser._actions if action.help != argparse.SUPPRESS]
    if not shown:
        return ""
    rows = [f"| {_words(action)} | {_text(_help(parser, action))} |" for action in shown]
    return "\n".join(["| argument | what it means |", "|---|---|", *rows])


def _words(action: argparse.Action) -> str:
    metavar = action.metavar
    if not isinstance(metavar, str):
        metavar = "{" + ",".join(map(str, action.choices)) + "}" if action.choices else action.dest
    if not action.option_strings:
        return _code(metavar)
    value = "" if action.nargs == 0 else f" {metavar}"
    return ", ".join(_code(f"{name}{value}") for name in action.option_strings)


def _help(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    return parser._get_formatter()._expand_help(action) if action.help else ""


def _code(text: str) -> str:
    return f"`{text}`".replace("|", "\\|")


def _text(text: str) -> str:
    """The text as written, with the characters that Markdown interprets escaped."""
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", text).replace("\n", " ")
