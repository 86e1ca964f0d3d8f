"""The flame graph and its text: well-formed, inert, and correct about unsampled time."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from mwtutor.cluster import TaskId
from mwtutor.display.pictures.flames import Flames
from mwtutor.run.observations.samples import Sampled, Samples, Visit
from mwtutor.run.observations.stacks import Frame
from tests.unit.display.pictures.test_timeline import HOSTILE, SVG, words

MAIN = Frame("/p/main.py", 9, "<module>", "train()")
STEP = Frame("/p/main.py", 3, "step", "model(x)")
EXECUTE = Frame("/x/site-packages/tf/execute.py", 5, "quick_execute")


def a_task(index, **more):
    paths = (
        Visit(True, False, (MAIN, STEP), 1.0),
        Visit(True, True, (MAIN, EXECUTE), 3.0),
        Visit(False, False, (STEP,), 2.0),
    )
    return Samples(TaskId("worker", index), paths, 4.0, 400, 0.02, done=True, **more)


RUN = Sampled((a_task(0), a_task(1)), 4.0)


def pictures(flames):
    """The picture as a file, and as part of a page."""
    page = flames._repr_html_()
    inline = page[page.index("<svg") : page.index("</svg>") + len("</svg>")]
    return [ET.fromstring(text) for text in (flames.file().decode(), inline)]


def test_all_workers_are_in_one_picture_with_words_for_each_call():
    for tree in pictures(Flames("main", RUN)):
        titles = [one.text for one in tree.iter(f"{SVG}title")]
        called = "<module> (main.py, line 9): 4.0 s, 100 %; in functions with a collective 75 %"
        assert titles.count(f"{called} | train()") == 2
        inside = "quick_execute (execute.py, line 5): 3.0 s, 75 %; in functions with a collective"
        assert titles.count(f"{inside} 75 %") == 2
        for name in ("worker:0", "worker:1", "worker:0, other threads"):
            assert name in [one.text for one in tree.iter(f"{SVG}text")]
        assert tree.get("role") == "img"
        longest = "worker:1 75 % in <module> (main.py, line 9) > quick_execute (execute.py)"
        assert longest in tree.get("aria-label")


def test_a_box_is_as_wide_as_its_share_and_the_programs_own_come_first():
    alone = Sampled((replace(a_task(0), paths=a_task(0).paths[:2]),), 4.0)
    for tree in pictures(Flames("main", alone)):
        boxes = [group.find(f"{SVG}rect") for group in tree.iter(f"{SVG}g")]
        outer, first, second = boxes
        assert outer.get("y") < first.get("y") == second.get("y")
        wide = float(outer.get("width"))
        assert float(first.get("width")) == pytest.approx(0.75 * wide, abs=1)
        assert float(second.get("width")) == pytest.approx(0.25 * wide, abs=1)
        assert len({box.get("fill") for box in (outer, first, second)}) == 2


def test_the_text_has_the_widest_paths_with_their_shares():
    shown = repr(Flames("main", RUN))
    assert "main: where the time goes · 4.0 s · 400 samples of each task" in shown
    first = "  75 %  <module> (main.py, line 9) > quick_execute (execute.py), with a collective"
    assert shown.count(f"{first}\n") == 2
    assert "  25 %  <module> (main.py, line 9) > step (main.py, line 3)\n" in shown


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (replace(RUN, wanted=60.0, interrupted=True), "interrupted: 60 s were requested"),
        (replace(RUN, tasks=(a_task(0, why="it failed"),)), "worker:0: it failed, after 4.0 s."),
        (replace(RUN, tasks=(replace(a_task(0), longest=0.7),)), "no sample for 0.70 s, because"),
        (
            Sampled((Samples(TaskId("worker", 0), why="it failed"),), 4.0),
            "before the first sample.",
        ),
    ],
)
def test_what_is_missing_is_said(content, said):
    flames = Flames("main", content)
    assert said in repr(flames)
    assert said in flames._repr_html_()


def test_nothing_from_outside_can_act():
    evil = Frame(f"/p/{HOSTILE}.py", 1, HOSTILE, HOSTILE)
    content = Sampled((replace(a_task(0), paths=(Visit(True, False, (evil,), 4.0),)),), 4.0)
    flames = Flames(HOSTILE, content)
    for tree in pictures(flames):
        assert not list(tree.iter(f"{SVG}script"))
        assert "<script>alert(1)" in words(tree)
    for shown in (repr(flames), flames._repr_html_()):
        assert not re.search("[\x1b\x07\u202e]", shown)
    assert "<script" not in flames._repr_html_()
