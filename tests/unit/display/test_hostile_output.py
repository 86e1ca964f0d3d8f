"""Nothing that a program prints, reports or raises, nor its name, can act where it is shown."""

from __future__ import annotations

import io
import json
import re
import subprocess
import unicodedata
import warnings
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mwtutor import sanitize
from mwtutor.cli import main
from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.display.output import loglines
from mwtutor.display.output.cells import CellDisplay
from mwtutor.display.panel import text
from mwtutor.display.panel.headline import report
from mwtutor.display.panel.listing import Listing
from mwtutor.display.panel.panel import Panel, TerminalLive
from mwtutor.display.pictures import plot
from mwtutor.exceptions import BadInput, CellFailed, NoRun, RunFailed
from mwtutor.network import Network
from mwtutor.run.logs import logs
from mwtutor.run.record.events import RunStarted
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import RunState, fold
from mwtutor.run.run import Run
from mwtutor.sessions.result import Output
from mwtutor.style_sheet import SHEET
from tests.e2e.test_cli import mwtutor
from tests.support.runs.specs import a_spec

#: Title, screen, clipboard, cursor, device control, eight-bit control, backspaces; then HTML.
ESCAPES = (
    "\x1b]0;title\x07\x1b[2J\x1b]52;c;ZXZpbA==\x07\x1b[1A\x1bP0;1|x\x1b\\\x9b2J\x9d0;t\x9c\b\b"
)
#: Characters that reverse the order of characters, have zero width, or end a line unexpectedly.
UNSEEN = "\u202e\u2066\u200f\u061c\u200b\ufeff\u2028\u2029\u00ad\U000e0041"
HTML = "</pre></div><img src=x onerror=alert(1)><script>alert(2)</script><!--&lt;\"'"
HOSTILE = f"{ESCAPES}{UNSEEN}{HTML}"

#: The only allowed terminal sequences: colors.
ACTS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
COLORS = re.compile(r"\x1b\[[0-9;]*m")

pieces = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        ["\x1b", "\x1b[", "\x1b]", "\x9b", "\x07", "\r", "\b", "2J", ";", "m", HTML, *UNSEEN]
    ),
)
hostile_texts = st.one_of(st.just(HOSTILE), st.lists(pieces, max_size=8).map("".join))


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen |= {tag, *(f"{tag} {name}" for name, _ in attributes)}
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


OURS = {"div", "b", "i", "span", "table", "thead", "tbody", "tr", "th", "td", "pre"}
OURS |= {"details", "summary", "svg", "path"}
#: A style sheet cannot act, and mwtutor's is fixed: it contains no text from users.
ATTRIBUTES = {"th scope", "td colspan", "details open", "i style"} | {
    f"{tag} class" for tag in OURS
}
ATTRIBUTES |= {f"svg {name}" for name in ("role", "aria-label", "viewbox", "preserveaspectratio")}
ATTRIBUTES |= {f"path {name}" for name in ("d", "fill", "stroke", "stroke-width", "vector-effect")}
ATTRIBUTES |= {
    f"span {name}"
    for name in ("role", "aria-label", "aria-valuemin", "aria-valuemax", "aria-valuenow")
}
ATTRIBUTES |= {
    "div data-mw-run", "div data-mw-state", "tr data-mw-task", "tr data-mw-state",
    "details data-mw-log", "details name", "div data-mw-log",
    "div tabindex", "div role", "div aria-label",
}  # fmt: skip


def assert_cannot_act(shown: str, *, colors: bool = False) -> None:
    bare = COLORS.sub("", shown) if colors else shown
    assert not ACTS.search(bare), repr(shown)
    assert not {unicodedata.category(char) for char in bare} & {"Cf", "Zl", "Zp"}, ascii(shown)


def assert_only_our_tags(page: str) -> None:
    tags = _Tags()
    tags.feed(page.replace(SHEET, ""))
    tags.close()
    assert not tags.open
    allowed = OURS | ATTRIBUTES
    assert tags.seen <= allowed, tags.seen - allowed
    assert_cannot_act(page)


def hostile_run(words: str, directory: str = "/nowhere") -> tuple[RunSpec, RunState]:
    path = words.replace("\0", "").encode(errors="replace").decode()  # a possible file name
    spec = a_spec(
        directory, path, name=words, workers=1, args=(path,), warm=False, why_cold=words,
        keras=words,
    )  # fmt: skip
    events = [
        RunStarted(
            ClusterSpec(worker=("h:1",)), 1, network=Network(words, words), t=1.0
        ).record(),
        {"event": "progress", "task": "worker:0", "t": 2.0, "epoch": words, "step": words,
         "metrics": {words: 1.0, "loss": words}},
        {"event": "place", "task": "worker:0", "name": words, "address": words, "tasks": 1,
         "changed": True},
        {"event": "child_ended", "task": "worker:0", "program": words, "exit": 1},
        {"event": "without_effect", "task": "worker:0", "what": words},
        {"event": "keras", "task": "worker:0", "version": words},
        {"event": "task_ended", "task": "worker:0", "t": 3.0, "status": "failed", "exit": 1,
         "reason": words, "left": [words]},
        {"event": "run_ended", "t": 4.0, "status": "failed", "reason": words,
         "culprit": "worker:0"},
    ]  # fmt: skip
    return spec, fold(RunState(), events)


@given(hostile_texts)
def test_a_report_cannot_act_whatever_a_run_consists_of(words):
    spec, state = hostile_run(words)
    assert state.outcome is not None
    panel = Panel(report(spec, state))
    assert_cannot_act(repr(panel))
    assert_cannot_act(text.render(panel.content, color=True), colors=True)
    assert_only_our_tags(panel._repr_html_())
    for line in text.change(None, state):
        assert_cannot_act(line)


@given(hostile_texts)
def test_an_error_cannot_act_whatever_it_quotes(words):
    error = BadInput(f"There is no {words}.", words)
    assert_cannot_act("\n".join([str(error), *error._render_traceback_()]))
    failed = CellFailed(words, words, (f"\x1b[31mError\x1b[0m: {words}\n{words}",))
    assert_cannot_act("\n".join(failed._render_traceback_()), colors=True)


@given(hostile_texts)
def test_a_line_of_a_cell_keeps_its_colors_and_nothing_else(words):
    assert_cannot_act(sanitize.colored(words.replace("\n", "")), colors=True)
    assert sanitize.colored(f"\x1b[1;31mred\x1b[0m{ESCAPES}").startswith("\x1b[1;31mred\x1b[0m")


def test_what_is_unseen_is_written_out():
    assert sanitize.harmless("main\u202eyp.\U000e0041") == r"main\u202eyp.\U000e0041"
    assert sanitize.harmless("größer 五 👍 ±\xa01") == "größer 五 👍 ± 1"


class Screen:
    folds = False

    def __init__(self) -> None:
        self.shown = ""

    def write(self, stream: str, words: str) -> None:
        self.shown += words

    def display(self, output: Output, key: str) -> None: ...

    def clear(self, *, wait: bool) -> None: ...

    def length(self, text: str) -> int:
        return len(text)


def test_what_a_cell_prints_and_draws_as_progress_cannot_act():
    screen, worker = Screen(), TaskId("worker", 0)
    display = CellDisplay([worker], screen, color=False)
    display.output(worker, Output("stdout", f"{HOSTILE}\n"))
    display.output(worker, Output("stdout", HOSTILE.replace("\b", "") + "\n"))
    display.output(worker, Output("stderr", f"progress {HOSTILE}"))
    display.tick()
    display.ended(worker)
    assert "<script>" in screen.shown, "text is text, and needs no escaping there"
    assert_cannot_act(screen.shown.replace("\r", ""))


HOSTILE_PROGRAM = f"""
import os, sys, mwtutor
words = {HOSTILE!r}
sys.stdout.buffer.write(words.encode() + b"\\xff\\x00\\n")
print(words, flush=True)
mwtutor.report(1, **{{words[:60]: 1.0}})
raise ValueError(words)
"""


@pytest.mark.e2e
def test_a_hostile_program_by_every_verb(launch, work):
    name = "<img src=x onerror=alert(1)>\x1b[2J\x07.py"
    Path(name).write_text(HOSTILE_PROGRAM)
    run = launch(name, 1)
    run.wait(check=False, timeout=60)
    assert "raised ValueError" in run.outcome.reason
    with pytest.raises(RunFailed) as failed:
        run.check()
    assert_cannot_act("\n".join(failed.value._render_traceback_()))
    assert_only_our_tags(Panel.from_run(run)._repr_html_())
    assert_only_our_tags(Listing([run])._repr_html_())
    assert_cannot_act(repr(Panel.from_run(run)) + repr(Listing([run])))
    shown = list(loglines.render(logs.lines(run.spec, list(run.tasks), raw=True), [*run.tasks]))
    assert any("<script>" in line for line in shown)
    assert_cannot_act("\n".join(shown))
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    TerminalLive(terminal).show(run, run.state)
    assert_cannot_act(re.sub(r"\x1b\[(2K|J|\d+A)", "", terminal.getvalue()), colors=True)
    for verb in ("status", "logs", "runs"):
        done = mwtutor(verb)
        assert_cannot_act(done.stdout + done.stderr)


def test_a_run_directory_from_elsewhere_cannot_act(work):
    spec, _ = hostile_run(HOSTILE, str(work / ".mwtutor/runs/20260101-000000-000-x"))
    Path(spec.directory).mkdir(parents=True)
    spec.save()
    Path(spec.events).write_text("{}\n")
    with pytest.raises(NoRun) as refused:
        Run.open(spec.directory)
    assert_cannot_act(str(refused.value))
    run = Run(RunSpec.load(spec.path))  # the display must not depend on that check
    assert run.name.endswith(HTML)
    assert_cannot_act(f"{run!r} {run.name} {run.spec.id}")
    assert_cannot_act(repr(Listing([run])))
    assert_only_our_tags(Listing([run])._repr_html_())


@pytest.mark.parametrize(
    "host", ["a\x1b[2J", "\x9b2Jb", "\x7f", "a\u202egro", "';touch${IFS}hacked;'", "${IFS}`x`"]
)
def test_a_tf_config_that_was_rewritten_cannot_act(work, host, capsys):
    spec, _ = hostile_run("main", str(work / ".mwtutor/runs/20260101-000000-000-x"))
    task = TaskId("worker", 0)
    spec.tf_config(task).parent.mkdir(parents=True)
    spec.save()
    Path(spec.events).write_text(
        '{"event": "run_started", "pid": 1, "cluster": {"worker": ["h:1"]}}\n'
    )
    config = {"cluster": {"worker": [f"{host}:1"]}, "task": {"type": "worker"}, "more": ESCAPES}
    spec.tf_config(task).write_text(
        json.dumps(config, ensure_ascii=False).replace("\\u001b", "\x9b")
    )
    main(["config", "worker:0"])
    shown = capsys.readouterr()
    assert_cannot_act(shown.out + shown.err)
    if host.isprintable():
        line = shown.out.splitlines()[0]
        script = f'{line}; printf %s "$TF_CONFIG"'
        done = subprocess.run(["sh", "-c", script], capture_output=True, text=True)
        assert json.loads(done.stdout)["cluster"] == config["cluster"], "ready to copy"
        assert not Path("hacked").exists()
    else:
        assert "not host:port" in shown.err


def test_matplotlib_warns_of_no_character_that_its_font_lacks():
    figure, axes = plot.blank()
    axes.plot([1, 2], label="worker:0")
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        plot.render_png(figure, axes, "step", "損失", HOSTILE)
    assert not [str(one.message) for one in warned]
