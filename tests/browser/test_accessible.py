"""Whether a panel is readable: in either theme, with a screen reader, in a narrow window."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, expect

from tests.browser.lab import Notebook
from tests.browser.programs import LAUNCH, TRAINING

pytestmark = [pytest.mark.browser, pytest.mark.timeout(480)]

CHECKED = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "cat.tables"]}

#: What axe examines: copies, since panels must not be replaced meanwhile.
KEPT = ".mw-kept"

KEEP = """(outputs, name) => {
    const output = outputs.querySelector(".mw-panel").closest(".jp-OutputArea-child");
    const copy = output.cloneNode(true);
    copy.classList.add(name);
    output.after(copy);
}"""

#: The words of tables that are broken across lines: their letters are on several lines.
BROKEN = """all => all.flatMap(panel => [...panel.querySelectorAll("th, td")]).flatMap(cell => {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const broken = [];
    while (texts.nextNode()) {
        for (const word of texts.currentNode.data.matchAll(/[^\\s/:]+/g)) {
            const range = document.createRange();
            range.setStart(texts.currentNode, word.index);
            range.setEnd(texts.currentNode, word.index + word[0].length);
            if (new Set([...range.getClientRects()].map(box => box.top)).size > 1)
                broken.push(word[0]);
        }
    }
    return broken;
})"""


def keep(outputs: Locator) -> None:
    """Append a copy of the current panel, with all its surroundings.

    The script looks for the panel on the page: a handle to it could be outdated by then.
    """
    outputs.evaluate(KEEP, KEPT[1:])


def found(notebook: Notebook) -> dict[str, list[Any]]:
    """What axe reports about the copies.

    It skips what it considers invisible: everything in a body without a height, such as
    JupyterLab's, and everything that must be scrolled to.
    """
    style = notebook.page.add_style_tag(content="body { height: 100vh }")
    notebook.page.set_viewport_size({"width": 800, "height": 3000})
    answer = Axe().run(notebook.page, f"{KEPT} .mw-panel", {"runOnly": CHECKED})
    style.evaluate("style => style.remove()")  # other notebooks share this page
    print(answer.generate_report(), answer.response["incomplete"])
    return answer.response


def measured(answer: dict[str, list[Any]], rule: str) -> int:
    """How many elements satisfy a rule."""
    return sum(len(one["nodes"]) for one in answer["passes"] if one["id"] == rule)


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_a_panel_can_be_read(theme, lab, notebook, picture):
    lesson = notebook("accessible.ipynb", TRAINING, LAUNCH, width=800)
    lesson.dress(theme)
    lesson.run(0)
    outputs = lesson.run(1)
    panel = outputs.locator(".mw-panel").first
    expect(panel.locator("svg.mw-curve")).to_have_count(2)
    keep(outputs)
    lab.put("end", "worker:1")
    expect(panel).to_have_attribute("data-mw-state", "failed")
    keep(outputs)
    picture(lesson, f"800-{theme.split()[1].lower()}")
    answer = found(lesson)
    assert [rule["id"] for rule in answer["violations"]] == []
    assert measured(answer, "color-contrast") >= 30
    assert measured(answer, "td-headers-attr") == 2
    assert lesson.page.locator(f"{KEPT} .mw-panel").evaluate_all(BROKEN) == []
