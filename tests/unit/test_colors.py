"""The colors, and whether everybody can read them."""

from __future__ import annotations

import pytest

from mwtutor import colors
from mwtutor.run.record.task_status import Status

THEMES = {"light": colors.LIGHT, "dark": colors.DARK}
#: Possible backgrounds of a plot: those of JupyterLab and of Visual Studio Code, light and dark.
PAGES = ("#ffffff", "#111111", "#1e1e1e")


def luminance(color):
    """The relative luminance, as WCAG 2.2 defines it."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_computed_as_the_standard_says():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", [name for name in colors.LIGHT if name != "ground"])
def test_every_word_can_be_read_in_light_and_in_dark(theme, name):
    palette = THEMES[theme]
    assert contrast(palette[name], palette["ground"]) >= 4.5


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("color", [colors.AXES, *colors.CURVES])
def test_a_plot_can_be_read_on_any_page(page, color):
    """Lines and large text need a contrast of 3; no color reaches 4.5 on both white and black."""
    assert contrast(color, page) >= 3


@pytest.mark.parametrize("status", [status.value for status in Status])
def test_every_status_has_a_color(status):
    assert colors.meaning(status) != "text"
