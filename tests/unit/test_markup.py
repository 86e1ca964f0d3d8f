"""The HTML elements."""

from __future__ import annotations

import re

from mwtutor import markup
from mwtutor.colors import DARK, LIGHT
from mwtutor.diagnosis.findings import Diagnosis, Finding
from mwtutor.style_sheet import SHEET


def test_all_colors_are_of_the_palette_and_both_palettes_have_them():
    assert LIGHT.keys() == DARK.keys()
    used = set(re.findall(r"var\(--mw-(\w+)\)", SHEET))
    assert used == set(LIGHT)
    written = set(re.findall(r"#[0-9a-f]+\b", SHEET))
    assert written == {*LIGHT.values(), *DARK.values()}
    assert "opacity" not in SHEET


def test_what_is_no_status_is_plain_text():
    assert markup.badge('"><x>') == '<b class="mw-text">&quot;&gt;&lt;x&gt;</b>'


def test_tables_say_which_cells_head_what():
    found = (Finding("gpus", "note", "none", "Install <one>."), Finding("tf", "ok", "2.21"))
    page = Diagnosis(found)._repr_html_()
    assert re.findall(r'<th scope="col">(\w+)</th>', page) == ["checked", "found"]
    assert page.count('<th scope="row">') == 2
    assert '<td class="mw-message mw-faint" colspan="2">Install &lt;one&gt;.</td>' in page
    assert page.count("mw-message mw-faint") == 1, "only where there is something to say"
