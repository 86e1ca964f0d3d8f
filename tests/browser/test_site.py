"""The site that ``make docs`` has built: wide and narrow, light and dark."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.browser.test_accessible import CHECKED

SITE = Path(__file__).parents[2] / "build" / "docs" / "html"

#: The first page only leads to the landing page.
PAGES = sorted(set(SITE.rglob("*.html")) - {SITE / "index.html"})

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(240),
    pytest.mark.skipif(not PAGES, reason="the site is not built: make docs"),
]

WIDTHS = (1400, 400)

#: A page of each kind.
KINDS = ("docs/index", "docs/errors", "docs/reference/commands", "notebooks/00_the_map")

#: What must be scrolled sideways: the page, a table of its text, or lines of an output.
SCROLLED = """() => ["html", "article .table-wrapper", "article .cell_output pre"]
    .flatMap(one => [...document.querySelectorAll(one)])
    .filter(one => one.scrollWidth > one.clientWidth + 1)
    .map(one => one.textContent.trim().slice(0, 40) || one.tagName)"""

#: Resolved once the page has its fonts and was drawn with the new size.
LAID_OUT = """() => document.fonts.ready.then(() => new Promise(
    drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))))"""


def test_no_page_and_no_table_is_scrolled_sideways(browser: Browser):
    page = browser.new_page()
    found = {}
    for path in PAGES:
        page.goto(path.as_uri())
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate(LAID_OUT)
            found[str(path.relative_to(SITE)), width] = page.evaluate(SCROLLED)
    page.close()
    assert {name: scrolled for name, scrolled in found.items() if scrolled} == {}


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (400, "dark")])
@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing(browser: Browser, kind, width, scheme):
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto((SITE / f"{kind}.html").as_uri())
    expect(page.locator("article h1")).to_be_visible()
    options = {"runOnly": CHECKED, "resultTypes": ["violations"]}
    report = Axe().run(page, options=options)
    page.close()
    assert report.response["violations"] == [], report.generate_report()
