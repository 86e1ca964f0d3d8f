"""Pictures and stored outputs in a browser: a timeline, and a notebook as a page."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from mwtutor.display.classes import ClassPage
from mwtutor.display.recording import Recording
from mwtutor.exercises.classes import ClassProgress, ExerciseSums, PartSums, Standing
from tests.browser.programs import TRAINING
from tests.browser.test_accessible import CHECKED
from tests.unit.display.test_recording import failed

pytestmark = [pytest.mark.browser, pytest.mark.timeout(480)]

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"

#: The contrast of its letters with their background, for each letter examined.
INK = """element => {
    const light = color => {
        const [r, g, b] = color.match(/[0-9.]+/g).map(Number);
        return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
    };
    let ground = element;
    const clear = it => getComputedStyle(it).backgroundColor === "rgba(0, 0, 0, 0)";
    while (ground.parentElement && clear(ground)) ground = ground.parentElement;
    const style = getComputedStyle(element);
    const ink = element instanceof SVGElement ? style.fill : style.color;
    const behind = clear(ground) ? 1 : light(getComputedStyle(ground).backgroundColor);
    return Math.abs(light(ink) - behind);
}"""

#: The words of each visible frame of the picture at a time, in seconds.
SHOWN = """at => {
    for (const one of document.getAnimations()) { one.pause(); one.currentTime = 1000 * at; }
    const seen = one => getComputedStyle(one).visibility === "visible";
    return [...document.querySelectorAll(".f")].filter(seen).map(one => one.textContent);
}"""


def test_a_timeline_is_a_picture_with_words(lab, notebook, picture):
    launch = "Path('end').touch()\n%mw_launch 2 train.py --cold --wait -- end"
    lesson = notebook("timeline.ipynb", TRAINING, launch, "%mw_timeline", "%mw_record")
    lesson.run(0)
    lesson.run(1)
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        lesson.dress(theme)
        output = lesson.run(2) if theme == "JupyterLab Light" else lesson.outputs(2)
        drawn = output.locator("svg").first
        expect(drawn).to_be_visible()
        box = drawn.bounding_box()
        assert box["width"] > 300
        assert box["height"] > 40
        lane = drawn.locator("text", has_text=re.compile("^worker:1$")).first
        expect(lane).to_be_visible()
        assert lane.evaluate(INK) > 0.4
        picture(lesson, f"timeline-{theme.split()[1].lower()}")
    words = output.locator("details", has_text="As text")
    expect(words.locator("pre")).to_be_hidden()
    words.locator("summary").click()
    expect(words.locator("pre")).to_contain_text("worker:1")
    replayed = lesson.run(3).locator(".mw-recording")
    replayed.get_by_role("button", name="Play").click()
    expect(replayed.get_by_role("button", name="Pause")).to_be_visible()
    replayed.get_by_label("speed").select_option("16")  # from the start, it would end unseen
    expect(replayed.get_by_role("button", name="Play")).to_be_visible()
    expect(replayed.locator(".mw-frame")).to_contain_text("succeeded")
    picture(lesson, "recording")


#: Two workers whose figures differ, and then most of what they print.
DIFFERING = """\
%load_ext mwtutor
import base64
from mwtutor.cluster import TaskId
from mwtutor.display.output.cells import CellDisplay, IPythonScreen
from mwtutor.sessions.result import Output

workers = [TaskId("worker", index) for index in range(2)]
display = CellDisplay(workers, IPythonScreen())
for worker, color in zip(workers, ("teal", "purple")):
    drawn = (f'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="90">'
             f'<rect width="300" height="90" fill="{color}"/></svg>')
    display.output(worker, Output("display", data={"image/svg+xml": drawn, "text/plain": color}))
for step in range(100):
    for worker in workers:
        display.output(worker, Output("stdout", f"step {step}: {worker}\\n"))
    display.tick()
for worker in workers:
    display.ended(worker)
"""


#: Whether the last line of a text is shown: nothing of it is below its frame, or cut.
AT_ITS_END = """text => {
    const frame = text.parentElement.getBoundingClientRect();
    const inside = text.getBoundingClientRect().bottom <= frame.bottom + 1;
    return inside && text.scrollHeight <= text.clientHeight + 1;
}"""


def test_what_differs_between_workers_is_in_tabs(notebook, picture):
    lesson = notebook("tabs.ipynb", DIFFERING)
    output = lesson.run(0)
    lesson.save()
    lesson.close()
    lesson.open()  # a saved notebook has them too
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        lesson.dress(theme)
        figures, lines = output.locator(".mw-tabs").first, output.locator(".mw-tabs").last
        for tabs, page in ((figures, "img"), (lines, ".mw-tail")):
            expect(tabs.locator("summary").last).to_be_visible()
            for chosen, other in ((1, 0), (0, 1)):
                tabs.locator("summary").nth(chosen).click()
                expect(tabs.locator(page).nth(chosen)).to_be_visible()
                expect(tabs.locator(page).nth(other)).to_be_hidden()
            boxes = [tabs.locator("summary").nth(at).bounding_box() for at in range(2)]
            assert boxes[0]["y"] == boxes[1]["y"], "titles are side by side"
        assert lines.locator(".mw-tail pre").first.evaluate(AT_ITS_END)
        picture(lesson, f"tabs-{theme.split()[1].lower()}")
    found = Axe().run(lesson.page, ".mw-panel", {"runOnly": CHECKED})
    assert not found.response["violations"], found.generate_report()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_recording_is_played_in_a_page_of_its_own(browser: Browser, tmp_path, scheme):
    recording = Recording(failed())
    (tmp_path / "run.html").write_bytes(recording.page())
    page = browser.new_page(color_scheme=scheme, viewport={"width": 800, "height": 600})
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda one: one.url.startswith("file:") or wrong.append(one.url))
    page.goto((tmp_path / "run.html").as_uri())
    shown, slider = page.locator(".mw-frame"), page.get_by_role("slider")
    expect(shown).to_contain_text("worker:1 failed")
    for at, words in (("1.5", "waiting for worker:1"), ("7", "5/10"), ("31", "failed")):
        slider.fill(at)
        expect(shown).to_contain_text(words)
    page.get_by_label("speed").select_option("16")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".mw-player span")).to_have_text("31.0 of 31.0 s")
    expect(shown).to_contain_text("worker:1 failed")
    found = Axe().run(page, options={"runOnly": CHECKED})
    assert not found.response["violations"], found.generate_report()
    page.close()
    assert not wrong


def test_an_animated_picture_shows_one_frame_at_a_time(browser: Browser, tmp_path):
    (tmp_path / "run.svg").write_bytes(Recording(failed()).picture())
    page = browser.new_page()
    page.goto((tmp_path / "run.svg").as_uri())
    for at, words in ((1.5, "waiting for worker:1"), (29.0, "10/10"), (33.0, "worker:1 failed")):
        seen = page.evaluate(SHOWN, at)
        assert len(seen) == 1
        assert words in seen[0]
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_notebook_that_is_exported_shows_what_was_stored(browser: Browser, tmp_path, scheme):
    source = NOTEBOOKS / "03_keras_on_two_workers.ipynb"
    command = [sys.executable, "-m", "jupyter", "nbconvert", "--to", "html", "--theme", scheme]
    subprocess.run([*command, "--output-dir", tmp_path, source], check=True, capture_output=True)
    page = browser.new_page(color_scheme=scheme, viewport={"width": 1000, "height": 900})
    page.goto((tmp_path / f"{source.stem}.html").as_uri())
    panels = page.locator(".mw-panel")
    expect(panels.first).to_be_visible()
    assert panels.count() >= 5
    assert panels.first.locator("td").first.evaluate(INK) > 0.4
    curve = page.locator("svg.mw-curve").first
    expect(curve).to_be_visible()
    assert page.locator("img[src^='data:image/png']").count() >= 3
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_of_a_class_can_be_read(browser: Browser, tmp_path, scheme):
    sums = ExerciseSums(2, 1, 5, 3, 1, (2,), {"a batch is that of one worker": 1, "": 1})
    standings = tuple(Standing(name, ("03-1",), ("05-1",)) for name in ("anna", "ben"))
    parts = (PartSums("OFF", 1, 2, {"6": 1, "3": 1}, {"6": 2}),)
    found = ClassProgress(2, {"03-1": sums, "05-1": sums}, {"05-a": parts}, standings=standings)
    (tmp_path / "class.html").write_bytes(ClassPage(found).page())
    page = browser.new_page(color_scheme=scheme, viewport={"width": 800, "height": 600})
    requests = []
    page.on("request", lambda one: requests.append(one.url))
    page.goto((tmp_path / "class.html").as_uri())
    expect(page.locator("circle")).to_have_count(4)
    answer = Axe().run(page, options={"runOnly": CHECKED})
    assert not answer.response["violations"], answer.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= 800
    assert len(requests) == 1
    page.close()
