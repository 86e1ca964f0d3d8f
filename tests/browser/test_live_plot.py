"""Curves in a cell that are redrawn while a user works in other cells, and a flame graph."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.programs import LAUNCH, TRAINING

pytestmark = [pytest.mark.browser, pytest.mark.timeout(480)]


def test_curves_are_redrawn_while_one_works_in_other_cells(lab, notebook, picture):
    page = notebook(
        "curves.ipynb",
        TRAINING,
        LAUNCH,
        "%mw_plot --live",
        "%mw_stacks --sample 1",
        "6 * 7",
        "Path('end').touch()",
    )
    page.run(0)
    page.run(1)
    plot = page.run(2)
    drawn = plot.locator("img")
    expect(drawn).to_have_attribute("alt", re.compile("^loss of train: worker:. from 1.0000"))
    expect(plot).to_contain_text("train: running, updated until it ends")
    before = drawn.get_attribute("src")
    flames = page.run(3).locator("svg.mw-flames")
    expect(flames).to_have_attribute("aria-label", re.compile(r"worker:1 \d+ % in <module>"))
    expect(page.run(4)).to_contain_text("42")
    expect(drawn).not_to_have_attribute("src", before)
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        page.dress(theme)
        picture(page, f"curves-{theme.split()[1].lower()}")
        flames.scroll_into_view_if_needed()
        picture(page, f"flames-{theme.split()[1].lower()}")
    page.run(5)
    expect(plot).to_contain_text("train: succeeded")
    expect(plot).not_to_contain_text("updated until it ends")
    expect(plot.locator(".mw-forgotten")).to_have_count(0)
