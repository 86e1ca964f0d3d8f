"""The picture of a run over time, and its text: well-formed, small, and inert."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from mwtutor.cluster import TaskId
from mwtutor.colors import AXES
from mwtutor.display.pictures.steps import reason
from mwtutor.display.pictures.timeline import Drawn
from mwtutor.run.observations.steps import StepTime, StepTimes
from mwtutor.run.observations.timeline import Lane, Mark, Span, Timeline

HOSTILE = "<script>alert(1)</script>\"'&\x1b]0;evil\x07\ufffe\u202e"
W0, W1 = TaskId("worker", 0), TaskId("worker", 1)
SVG = "{http://www.w3.org/2000/svg}"


def a_lane(task, *, epochs=2, awaited=()):
    spans = [
        Span("starting", 10.0, 10.5),
        Span("waiting", 10.5, 12.0, awaited=awaited),
        *(Span("training", 12.0 + n * 8 / epochs, 12.0 + (n + 0.9) * 8 / epochs, n + 1)
          for n in range(epochs)),
    ]  # fmt: skip
    return Lane(
        task, tuple(spans), (Mark(20.0, "failed", f"it raised {HOSTILE}"),), ((13.0, 19.0),)
    )


def a_run(**more):
    lanes = (a_lane(W0, awaited=(W1,)), a_lane(W1))
    return Timeline(10.0, 21.0, lanes, **more)


def steps(tasks=(W0, W1), count=100, together=True):
    def step(n, task):
        slow = task == W1
        times = (0.05, 0.0, 0.005, 0.0, 0.002) if slow else (0.001, 0.001, 0.005, 0.045, 0.005)
        last = None if slow or not together else W1
        return StepTime(n, 12.0 + 0.057 * n, *times, last)

    return StepTimes(
        {t: tuple(step(n, t) for n in range(1, count)) for t in tasks}, together, count
    )


def pictures(content, name="main"):
    """The picture as a file, and as part of a page."""
    drawn = Drawn(name, content, steps=True)
    page = drawn._repr_html_()
    inline = page[page.index("<svg") : page.index("</svg>") + len("</svg>")]
    return [ET.fromstring(text) for text in (drawn.file().decode(), inline)]


def words(tree):
    return " ".join(tree.itertext())


def test_lanes_say_what_their_tasks_did():
    for tree in pictures(a_run()):
        said = words(tree)
        for part in (
            "worker:0",
            "worker:1",
            "epoch 1",
            "epoch 2",
            "waiting for worker:1",
            "silent",
        ):
            assert part in said
        assert tree.get("role") == "img"
        assert "worker:0 waited 1.5 s for worker:1" in tree.get("aria-label")
        assert tree.find(f"{SVG}title").text == "Timeline of main"
        assert "worker:0 waited" in tree.find(f"{SVG}desc").text


def test_nothing_from_outside_can_act():
    for tree in pictures(a_run(steps=steps()), name=HOSTILE):
        assert not list(tree.iter(f"{SVG}script"))
        assert "<script>alert(1)" in words(tree)
    page = Drawn(HOSTILE, a_run())._repr_html_()
    assert "<script" not in page
    assert "\x1b" not in page
    for act in ("\x1b", "\x07", "\u202e"):
        assert act not in repr(Drawn(HOSTILE, a_run()))
        assert act not in page


def test_it_is_seen_where_style_sheets_are_removed_and_on_any_ground():
    for tree in pictures(a_run(steps=steps())):
        drawn = [
            one for one in tree.iter() if one.tag.removeprefix(SVG) in ("rect", "path", "text")
        ]
        assert drawn
        for one in drawn:
            color = one.get("fill") if one.get("fill") not in (None, "none") else one.get("stroke")
            assert re.fullmatch("#[0-9a-f]{6}", color), ET.tostring(one)
        labels = [one for one in tree.iter(f"{SVG}text") if one.get("class") != "mw-in"]
        assert {one.get("fill") for one in labels} == {AXES}


def test_steps_show_who_is_slow():
    content = a_run(steps=steps())
    for tree in pictures(content):
        assert "worker:1 is the slowest: it spends 55 ms per step" in words(tree)
        assert "waits 46 ms" in words(tree)
    shown = repr(Drawn("main", content, steps=True))
    assert re.search(r"worker:0 +57 ms +1\.0 ms +5\.0 ms +46 ms +5\.0 ms +worker:1", shown)
    assert re.search(r"worker:1 +57 ms +50 ms +5\.0 ms +0\.0 ms +2\.0 ms\n", shown)
    assert "a step" not in repr(Drawn("main", content))


@pytest.mark.parametrize("own", [(0.0100, 0.0104), (0.0005, 0.0011)])
def test_what_is_little_longer_by_share_or_by_time_is_not_called_slow(own):
    taken = {
        task: (StepTime(1, 12.0, 0.0, 0.0, seconds, 0.0, 0.0, W1),)
        for task, seconds in zip((W0, W1), own, strict=True)
    }
    for tree in pictures(a_run(steps=StepTimes(taken, True, 2))):
        assert "slowest" not in words(tree)


def test_bars_and_lanes_reach_to_the_end():
    lanes = (a_lane(W0, epochs=400), a_lane(W1, epochs=400))
    for tree in pictures(Timeline(10.0, 20.0, lanes, steps=steps(count=300))):
        paths = [one.get("d") for one in tree.iter(f"{SVG}path") if len(one.get("d")) > 2000]
        assert len(paths) > 6
        for path in paths:
            assert path.endswith("z")
        for fill in ("#c8641e", "#8f6ad0"):  # waiting, and before the step
            drawn = "".join(
                one.get("d") for one in tree.iter(f"{SVG}path") if one.get("fill") == fill
            )
            assert max(float(x) for x in re.findall(r"M([\d.]+)", drawn)) > 850


def test_where_nothing_is_known_of_waiting_nothing_is_said():
    shown = repr(Drawn("main", a_run(steps=steps(together=False)), steps=True))
    header = next(line for line in shown.splitlines() if "a step" in line)
    assert "waiting" not in header
    assert "waiting is not shown" in shown
    assert "slowest" not in shown


@pytest.mark.parametrize("epochs", [3, 400])
def test_a_large_run_is_a_small_picture(epochs):
    tasks = [TaskId("worker", n) for n in range(64)]
    lanes = tuple(a_lane(task, epochs=epochs, awaited=tuple(tasks[1:])) for task in tasks)
    content = Timeline(10.0, 21.0, lanes, steps=steps(tasks, 1024))
    drawn = Drawn("main", content, steps=True)
    assert len(drawn.file()) < 300_000
    assert len(drawn._repr_html_()) < 300_000
    ET.fromstring(drawn.file())


def test_steps_of_which_one_took_long_still_show_the_others():
    slow = steps()
    outlier = StepTime(100, 30.0, 60.0, 0.0, 0.0, 0.0, 0.0)
    of = {task: (*one, outlier) for task, one in slow.of.items()}
    tree = pictures(a_run(steps=StepTimes(of, True, 101)))[0]
    top = next(t.text for t in tree.iter(f"{SVG}text") if re.fullmatch(r"[\d.]+ m?s", t.text or "")
               and t.get("font-size") == "9")  # fmt: skip
    assert top.endswith("ms")


@pytest.mark.parametrize(
    "content",
    [
        Timeline(10.0, 10.0, (Lane(W0),)),
        Timeline(10.0, 1e9, (Lane(W0, (Span("running", 10.0, 1e9),)),)),
        Timeline(10.0, 10.0001, (Lane(W0, (Span("running", 10.0, 10.0001),)),)),
        a_run(attempts=(15.0,), goes_on=True),
    ],
)
def test_any_length_has_an_axis(content):
    for tree in pictures(content):
        marks = [t.text for t in tree.iter(f"{SVG}text") if t.get("text-anchor") == "middle"]
        assert (
            1 <= len([text for text in marks if re.match(r"[\d.:e-]+ (s|min|h|days)", text)]) <= 12
        )
    assert "worker:0 |" in repr(Drawn("main", content))


def test_why_a_worker_comes_last():
    why = reason(steps(), W1)
    assert why.startswith("Before a step")
    assert why.endswith("worker:1 typically spends 50 ms, worker:0 1.0 ms.")
    for unknown in (reason(steps(), W0), reason(steps(together=False), W1),
                    reason(steps(tasks=[W1]), W1), reason(None, W1)):  # fmt: skip
        assert not unknown
