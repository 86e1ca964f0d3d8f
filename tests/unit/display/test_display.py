"""The text and the HTML about a run: what users read, and that it is inert."""

from __future__ import annotations

import json
import math
import re
import time
from dataclasses import replace

import pytest

from mwtutor import markup
from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.display.explain import explain_tf_config
from mwtutor.display.panel import html, text
from mwtutor.display.panel.headline import report
from mwtutor.display.panel.report import Seen
from mwtutor.display.panel.training import curve_words, scale, sparkline
from mwtutor.display.words import columns, duration, elapsed
from mwtutor.interface import MAGIC, TERMINAL, Interface
from mwtutor.network import Network
from mwtutor.run.observations import traffic
from mwtutor.run.observations.curves import Course
from mwtutor.run.observations.stacks import Frame, ThreadStack
from mwtutor.run.observations.standing import Standing
from mwtutor.run.record import events as happened
from mwtutor.run.record.state import RunState, fold
from tests.support.runs.specs import a_spec

HOSTILE = "<script>alert(1)</script>\x1b]0;evil\x07\x1b[2J"


@pytest.fixture
def spec(tmp_path):
    (tmp_path / "logs").mkdir()
    return a_spec(tmp_path, args=(HOSTILE,))


def state(spec, *events):
    start = happened.RunStarted(ClusterSpec(worker=("h:1", "h:2")), 1, t=1.0).record()
    return fold(RunState(), [start, *events])


def test_a_table_with_wide_characters_is_lined_up(spec):
    told = {"event": "progress", "task": "worker:0", "t": 2.0, "step": 5,
            "metrics": {"損失函數": 0.25, "acc": 0.5}}  # fmt: skip
    _, header, row, *_ = text.render(report(spec, state(spec, told))).splitlines()
    first, second = (line[: line.index(word)] for line, word in ((header, "acc"), (row, "0.5")))
    assert columns(first) == columns(second)


def failed(spec):
    spec.log(next(iter(state(spec).tasks))).write_text(
        f"Epoch 1\nTraceback (most recent call last):\n  File 'main.py'\nValueError: {HOSTILE}\n"
    )
    progress = {"event": "progress", "task": "worker:0", "t": 2.0, "epoch": 1, "epochs": 3,
                "step": 5, "metrics": {"loss": 0.25, HOSTILE: 1.0}}  # fmt: skip
    reason = f"worker:0 raised ValueError: {HOSTILE}"
    ended = {"event": "task_ended", "task": "worker:0", "t": 3.0, "status": "failed", "exit": 1,
             "reason": reason}  # fmt: skip
    over = {"event": "run_ended", "t": 4.0, "status": "failed", "reason": reason,
            "culprit": "worker:0"}  # fmt: skip
    return state(spec, progress, ended, over)


def test_a_log_full_of_noise_does_not_hold_up_the_status(spec):
    noise = "I0000 00:00:1795225299.237274    4965 port.cc:153] oneDNN custom operations are on.\n"
    over = failed(spec)
    begun = {"event": "program_started", "task": "worker:1", "t": 2.0}
    going = state(spec, begun)
    for task in going.tasks:
        with spec.log(task).open("a") as log:
            log.writelines([noise] * 600_000)  # 50 MB
    before = time.process_time()
    assert "main" in text.render(report(spec, going))
    assert "main: failed" in text.render(report(spec, over))
    assert time.process_time() - before < 2


def test_a_task_that_waits_for_one_that_has_ended_is_said_to(spec):
    begun = {"event": "program_started", "task": "worker:0", "t": 2.0}
    come = {"event": "listening", "task": "worker:0", "t": 2.0}
    ended = {"event": "task_ended", "task": "worker:1", "t": 2.0, "status": "succeeded", "exit": 0}
    assert "waiting for worker:1  " in text.render(report(spec, state(spec, begun, come)))
    shown = text.render(report(spec, state(spec, begun, come, ended)))
    assert "waiting for worker:1, which has ended" in shown


def test_a_failure_is_explained_on_one_screen(spec):
    shown = text.render(report(spec, failed(spec)))
    assert "main: failed" in shown
    assert re.search(r"worker:0  failed +1/3 +5 +0\.2500", shown)
    assert "| Traceback (most recent call last):" in shown
    assert "Epoch 1" not in shown.split("Traceback")[0].splitlines()[-1]


def test_nothing_a_program_says_can_act(spec):
    plain = text.render(report(spec, failed(spec)))
    assert "\x1b" not in plain
    assert "\x07" not in plain
    page = html.render(report(spec, failed(spec)))
    assert "<script" not in page
    assert "\x1b" not in page
    assert "&lt;script&gt;" in page


def test_tags_are_balanced(spec):
    page = html.render(report(spec, failed(spec)))
    for tag in ("div", "table", "tr", "td", "th", "span", "pre", "b"):
        assert len(re.findall(rf"<{tag}[ >]", page)) == page.count(f"</{tag}>")


def test_the_network_is_explained_where_somebody_can_reach_the_run(spec):
    def network(kind, *events):
        cluster = ClusterSpec(worker=("h:1",))
        start = happened.RunStarted(cluster, 1, network=Network(kind), t=1.0).record()
        return report(spec, fold(RunState(), [start, *events]))

    assert "private network" in network("private").facts
    assert network("private").hints == ()
    assert "can reach this machine" in network("host").hints[0]
    over = {"event": "run_ended", "t": 4.0, "status": "succeeded", "reason": ""}
    assert "can reach" not in "".join(network("host", over).hints)


def test_what_there_is_to_say_of_a_task_has_a_row_of_its_own(spec):
    ended = failed(spec)
    over = replace(ended.outcome, reason="another reason")
    page = html.render(report(spec, replace(ended, outcome=over)))
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", page)
    assert rows[0].startswith('<th scope="col">task</th><th scope="col">state</th>')
    assert rows[1].startswith('<th scope="row">worker:0</th><td><b class="mw-bad">failed</b></td>')
    columns = rows[0].count("<th ")
    assert rows[1].count("<td>") == columns - 1
    assert rows[2].startswith(
        f'<td class="mw-message mw-faint" colspan="{columns}">worker:0 raised'
    )
    assert "style=" not in page


def test_a_failure_is_told_once(spec):
    """The sentence is below the table; the task's row and the log do not repeat it."""
    for shown in (html.render(report(spec, failed(spec))), text.render(report(spec, failed(spec)))):
        assert shown.count("worker:0 raised ValueError") == 1


def test_durations():
    assert [duration(s) for s in (0.04, 59.94, 61, 3700)] == [
        "0.0 s",
        "59.9 s",
        "1 min 1 s",
        "1 h 1 min",
    ]


def test_a_tf_config_explained():
    shown = explain_tf_config(
        '{"cluster": {"worker": ["h:1", "h:2"]}, "task": {"type": "worker", "index": 0}}'
    )
    assert "This is worker:0, with 1 peer; it trains" in shown
    assert "worker:0 is at h:1  <- this task" in shown
    assert "does the chief's work" in shown


def test_a_silent_task_and_whom_it_waits_for_in_vain(spec):
    started = happened.TaskStarted(TaskId("worker", 1), pid=1).record()
    begun = {"event": "program_started", "task": "worker:1", "t": 1.0}
    formed = {"event": "cluster_formed", "t": 1.5}
    step = {"event": "progress", "task": "worker:1", "t": 2.0, "step": 3, "metrics": {}}
    over = {"event": "task_ended", "task": "worker:0", "t": 2.0, "status": "succeeded", "exit": 0}
    shown = text.render(report(spec, state(spec, started, begun, formed, step)))
    assert re.search(r"worker:1  running +3 +silent for \d+ h", shown)
    assert "Silent for more than 10 s: worker:1. What each task executes: %mw_stacks" in shown
    shown = text.render(report(spec, state(spec, started, begun, formed, step, over)))
    assert re.search(r"silent for .*, and worker:0 has ended", shown)


def test_who_is_awaited_in_a_long_silence(spec):
    started = happened.TaskStarted(TaskId("worker", 1), pid=1).record()
    begun = {"event": "program_started", "task": "worker:1", "t": 1.0}
    at = state(spec, started, begun, {"event": "cluster_formed", "t": 1.5})

    def standing(number, function, waits):
        frame = Frame("main.py", number + 3, function)
        return Standing(TaskId("worker", number), (ThreadStack(True, "", (frame,), waits),), "")

    waiting, late = standing(0, "train", True), standing(1, "read", False)
    mute = Standing(TaskId("worker", 1), why="worker:1 was stopped by a signal.")

    def said(*standings):
        return report(spec, at, Seen(standings=standings)).hints[0]

    assert said(waiting, late).startswith(
        "The others wait for worker:1, which is in read (main.py, line 4). More: %mw_stacks"
    )
    assert said(waiting, mute).startswith("worker:1 was stopped by a signal. More")
    assert said(waiting).startswith("Each task may be waiting in a collective.")
    assert said(late).startswith("Silent for more than 10 s: worker:1."), "nobody is known to wait"


def seen(spec, *events):
    """The state of a run with these events in its log."""
    spec.events.write_text("".join(json.dumps(event) + "\n" for event in events))
    course = Course()
    course.take(events)
    return Seen(course, {TaskId("worker", 0): (300 * 2**20, 1.5), TaskId("worker", 1): (1, None)})


def steps(count, **more):
    now = float(int(time.time()))  # so that differences are exact
    return [
        {"event": "progress", "task": "worker:0", "t": now - count + at, "step": at, "steps": 40,
         "epoch": 1, "epochs": 2, "metrics": {"loss": 1 / (at + 1)}, **more}
        for at in range(1, count + 1)
    ]  # fmt: skip


def test_progress_speed_time_left_and_the_course_of_the_loss(spec):
    events = steps(20)
    shown = report(spec, state(spec, *events), seen(spec, *events))
    assert shown.bar.done == 0.25
    assert shown.bar.words == "25 % · 1 steps/s · about 1 min 0 s left"
    plain = text.render(shown)
    assert "[########......................] 25 %" in plain
    assert re.search(r"worker:0 .* █\S*▁ +300 MiB +150%", plain)
    page = html.render(shown)
    assert 'role="progressbar"' in page
    assert 'aria-valuenow="25"' in page
    label = "loss of worker:0: from 0.5000 to 0.0476, lowest 0.0476, highest 0.5000"
    assert f'<svg class="mw-curve" role="img" aria-label="{label}"' in page
    assert '<tr data-mw-task="worker:0" data-mw-state="' in page
    assert '<th scope="col" class="mw-spare">loss so far</th>' in page


def test_a_task_that_has_ended_is_not_the_slowest(spec):
    behind = [{**event, "task": "worker:1"} for event in steps(5)]
    events = [*steps(20), *behind]
    assert report(spec, state(spec, *events), seen(spec, *events)).bar.done == 0.0625
    events.append(happened.TaskEnded(TaskId("worker", 1), "failed", -9, t=time.time()).record())
    assert report(spec, state(spec, *events), seen(spec, *events)).bar.done == 0.25


def test_a_curve_of_what_is_no_number(spec):
    events = [*steps(3), *steps(6, metrics={"loss": math.nan})]
    shown = report(spec, state(spec, *events), seen(spec, *events))
    assert "xxx" in shown.table.rows[0].cells[shown.table.drawn[1]]
    assert "6 of 9 are not numbers" in html.render(shown)
    for extreme in ((math.nan,), (1.0,), (0.0, 0.0), (-1e308, 1e308), (math.inf, 5e-324), ()):
        assert len(sparkline(extreme)) == len(extreme)
        assert all(one is None or 0 <= one <= 1 for one in scale(extreme))
        markup.curve(scale(extreme), curve_words(extreme))


def test_a_metric_whose_name_is_html_stays_text(spec):
    events = steps(3, metrics={HOSTILE: 1.0, '" onload="x': 2.0})
    shown = report(spec, state(spec, *events), seen(spec, *events))
    page = html.render(shown)
    assert "<script" not in page
    assert 'onload="' not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; so far" in page


def test_64_tasks_and_what_a_frame_of_them_takes(spec):
    start = {"event": "run_started", "t": 1.0, "pid": 1,
             "cluster": {"worker": [f"h:{n + 1}" for n in range(64)]}}  # fmt: skip
    events = [
        {"event": "progress", "task": f"worker:{at % 64}", "t": at / 10, "step": at,
         "steps": 100_000, "metrics": {"loss": at}}
        for at in range(6400)
    ]  # fmt: skip
    known = seen(spec, *events)
    going = fold(RunState(), [start, *events])
    before = time.process_time()
    for _ in range(10):
        page = html.render(report(spec, going, known))
    assert time.process_time() - before < 5
    assert page.count("data-mw-task") == 64
    ended = [{"event": "task_ended", "task": f"worker:{n}", "t": 3.0, "status": "failed", "exit": 1,
              "reason": "it fell"} for n in range(64)]  # fmt: skip
    over = {"event": "run_ended", "t": 4.0, "status": "failed", "reason": "", "culprit": "worker:0"}
    page = html.render(report(spec, fold(going, [*ended, over]), known))
    assert page.count("<details") == 8
    assert page.count("<details open") == 1


def test_the_log_of_who_failed_is_open_and_not_shown_twice(spec):
    page = html.render(report(spec, failed(spec)))
    assert re.findall(r"<details( open)?(?:=\"\")? data-mw-log=\"(.*?)\"", page) == [
        (" open", "worker:0"),
        ("", "worker:1"),
    ]
    assert page.count("Traceback (most recent call last)") == 1


def test_a_clock_that_lets_a_reader_follow():
    seconds = (-1, 0.4, 59.9, 61, 3599, 3661, 7300)
    assert [elapsed(s) for s in seconds] == [
        "0 s",
        "0 s",
        "59 s",
        "1 min 0 s",
        "59 min 55 s",
        "1 h 1 min",
        "2 h 1 min",
    ]


def a_failure(task, at, name, message):
    """A task that raises and ends."""
    raised = {"event": "program_raised", "task": task, "t": at, "error": name, "message": message}
    ended = {"event": "task_ended", "task": task, "t": at + 0.1, "status": "failed", "exit": 1,
             "reason": f"{task} raised {message} (main.py, line 3)"}  # fmt: skip
    return [raised, ended]


def over(culprit, at=9.0):
    reason = f"{culprit} raised it"
    return {"event": "run_ended", "t": at, "status": "failed", "reason": reason, "culprit": culprit}


def remarks(spec, *events):
    return [row.cells[-1] for row in report(spec, state(spec, *events)).table.rows]


def test_a_consequence_is_introduced_by_what_it_comes_from(spec):
    root = a_failure("worker:1", 2.0, "ValueError", "ValueError: no data for step 3")
    late = a_failure("worker:0", 2.2, "AbortedError", "AbortedError: Collective ops is aborted by:")
    raised = "worker:1 raised ValueError: no data for step 3 (main.py, line 3)"
    led_to = "worker:1 raised first: ValueError: no data for step 3; then worker:0 raised Aborted"
    assert remarks(spec, *root, *late) == [f"{led_to}Error", raised]
    # The peer notices the failure before the process has ended, and reports first.
    assert remarks(spec, *late, *root, over("worker:1")) == [f"{led_to}Error", raised]


def test_a_consequence_of_a_death_is_introduced_by_it(spec):
    died = {"event": "task_ended", "task": "worker:1", "t": 2.0, "status": "failed", "exit": -9,
            "reason": "worker:1 was killed by signal 9"}  # fmt: skip
    late = a_failure("worker:0", 2.2, "UnavailableError", "UnavailableError: Socket closed")
    assert remarks(spec, died, *late, over("worker:1"))[0] == (
        "worker:1 failed first: worker:1 was killed by signal 9;"
        " then worker:0 raised UnavailableError"
    )


def test_what_both_have_raised_is_told_once(spec):
    same = [a_failure(f"worker:{n}", 2.0 + n, "ValueError", "ValueError: no") for n in (0, 1)]
    shown = remarks(spec, *same[0], *same[1], over("worker:0"))
    assert shown == [
        "worker:0 raised ValueError: no (main.py, line 3)",
        "raised the same error as worker:0",
    ]


def test_the_evidence_has_the_users_own_calls_only(spec):
    packages = '  File "/venv/lib/python3.12/site-packages/keras/src/layer.py", line 7, in call\n\n'
    spec.log(TaskId("worker", 0)).write_text(
        'Traceback (most recent call last):\n  File "/me/main.py", line 8, in <module>\n    fit()\n'
        "InvalidArgumentError: Graph execution error:\n\n"
        "Detected at node a/b defined at (most recent call last):\n"
        f'  File "/me/main.py", line 8, in <module>\n\n{packages * 40}'
        f'  File "/me/main.py", line 4, in call\n\n{packages}no such row\n'
    )
    shown = report(spec, state(spec, *failed_events(), over("worker:0"))).evidence
    assert shown == (
        "Traceback (most recent call last):",
        '  File "/me/main.py", line 8, in <module>',
        "    fit()",
        "InvalidArgumentError: Graph execution error:",
        "",
        "Detected at node a/b defined at (most recent call last):",
        '  File "/me/main.py", line 8, in <module>',
        "",
        '  File "/me/main.py", line 4, in call',
        "",
        "no such row",
    )


def test_what_the_culprit_ended_with_is_said_once(spec):
    advice = "Line 2 used TensorFlow before the strategy was created: move line 3 above it. " * 3
    failed = failed_events()
    failed[0]["advice"] = advice.strip()
    log = f"InvalidArgumentError: no such row\nmwtutor: {advice.strip()}\nmwtutor: another hint\n"
    spec.log(TaskId("worker", 0)).write_text(log)
    shown = report(spec, state(spec, *failed, over("worker:0")))
    assert shown.evidence == ("InvalidArgumentError: no such row", "mwtutor: another hint")
    assert shown.hints[0] == advice.strip()


@pytest.mark.parametrize(
    ("style", "shown"), [(MAGIC, "%mw_stacks."), (TERMINAL, "mwtutor stacks.")]
)
def test_stored_advice_is_shown_for_the_reader(spec, style, shown, monkeypatch):
    monkeypatch.setattr(Interface, "style", style)
    failed = failed_events()
    failed[0]["advice"] = "Look at @mw_stacks."
    spec.log(TaskId("worker", 0)).write_text("no such row\nmwtutor: Look at mwtutor stacks.\n")
    report_ = report(spec, state(spec, *failed, over("worker:0")))
    assert report_.hints[0] == f"Look at {shown}"
    assert report_.evidence == ("no such row",)


def test_a_host_that_cannot_be_reached_is_named_while_the_program_tries_on(spec):
    why = "data.example: Name or service not known"
    missed = {"event": "unreachable", "t": 2.0, "host": "data.example", "why": why}
    words = (
        f"Not reached from this run's network: {why}. For data that needs no network, use"
        ' tfds.load("mw_digits") after import mwtutor.datasets, or mwtutor.datasets.load_mnist().'
    )
    assert words in report(spec, state(spec, missed)).hints
    assert words in report(spec, state(spec, missed, over("worker:0"))).hints
    ended = {"event": "run_ended", "t": 9.0, "status": "succeeded", "reason": ""}
    assert words not in report(spec, state(spec, missed, ended)).hints


def failed_events():
    return a_failure("worker:0", 2.0, "InvalidArgumentError", "InvalidArgumentError: no such row")


def test_machines_are_shown_with_what_has_passed_and_who_is_unplugged(tmp_path):
    (tmp_path / "logs").mkdir()
    spec = a_spec(tmp_path, workers=3, machines=2, link="1gbit")
    traffic.Writer(tmp_path, time.time).note([(5_000_000, 1200), (77, 0)])
    tasks = [["worker:0", "worker:1"], ["worker:2"]]
    start = {
        "event": "run_started", "t": 1.0, "cluster": {"worker": ["h:1", "h:2", "i:1"]},
        "machines": [{"name": f"machine-{n}", "address": f"10.9.0.{n + 1}", "link": "1gbit",
                      "tasks": names} for n, names in enumerate(tasks)],
    }  # fmt: skip
    pulled = {"event": "unplugged", "t": time.time() - 3.5, "machine": "machine-1"}
    shown = text.render(report(spec, fold(RunState(), [start, pulled])))
    assert "2 machines, 1gbit each" in shown
    rows = {line.split()[0]: line for line in shown.splitlines() if line.startswith("  worker")}
    assert re.search(r"machine-0 +5\.0 MB +1\.2 kB", rows["worker:0"])
    assert rows["worker:1"].endswith("machine-0")
    assert re.search(r"machine-1, unplugged for 3 s +77 B +0 B", rows["worker:2"])
    assert "machine-1 is unplugged: nothing reaches worker:2. Plug in again" in shown

    raised = {"event": "program_raised", "task": "worker:0", "error": "UnavailableError",
              "message": "", "t": pulled["t"] + 2.5}  # fmt: skip
    ended = {"event": "run_ended", "t": pulled["t"] + 3, "status": "failed", "reason": "r"}
    shown = text.render(report(spec, fold(RunState(), [start, pulled, raised, ended])))
    assert (
        "machine-1 was unplugged; worker:0 raised UnavailableError 2.5 s later, before any"
        " other task." in shown
    )


def test_the_evidence_is_the_traceback_of_the_exception_that_ended_the_task(spec):
    """Destructors, threads and exit handlers print their own tracebacks later."""
    before = "Traceback (most recent call last):\nOSError: caught, and printed\n"
    ended_by = (
        'Traceback (most recent call last):\n  File "/me/main.py", line 8, in <module>\n    fit()\n'
        "InvalidArgumentError: no such row\n"
    )
    after = (
        "Exception ignored in: <function Reader.__del__ at 0x7f>\n"
        "Traceback (most recent call last):\nAttributeError: 'Reader' has no 'file'\n"
    )
    spec.log(TaskId("worker", 0)).write_text(before + ended_by + after)
    place = {"event": "traceback", "task": "worker:0", "t": 2.05, "begin": len(before),
             "end": len(before + ended_by)}  # fmt: skip
    raised, ended = failed_events()
    shown = report(spec, state(spec, raised, place, ended, over("worker:0"))).evidence
    assert shown == tuple(ended_by.splitlines())
    # What a program's own hook prints need not look like a traceback.
    spec.log(TaskId("worker", 0)).write_text(before + "no row: see main.py\n" + after)
    place["end"] = len(before) + len("no row: see main.py\n")
    shown = report(spec, state(spec, raised, place, ended, over("worker:0"))).evidence
    assert shown == ("no row: see main.py",)


def test_why_a_run_ended_is_a_sentence(spec):
    ended = {"event": "run_ended", "t": 4.0, "status": "stopped", "reason": "it was stopped"}
    assert "  It was stopped." in text.render(report(spec, state(spec, ended))).splitlines()


def test_why_collectives_are_broken_is_decided_by_what_happened_not_by_its_text(spec):
    idle = {"event": "idle", "task": "worker:0", "t": 2.0, "lost": "released by mwtutor, it said"}
    assert "released by mwtutor, it said" in report(spec, state(spec, idle)).problem
    after = state(spec, idle, {**idle, "task": "worker:1", "lost": "cut", "released": True})
    assert "because a worker had to be released from one" in report(spec, after).problem
