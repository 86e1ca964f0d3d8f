"""The style of a notebook's own pictures."""

from __future__ import annotations

import matplotlib as mpl

from mwtutor.colors import AXES
from mwtutor.display.pictures.style import use_page_colors


def test_pictures_have_no_background_and_one_text_color():
    with mpl.rc_context():
        use_page_colors(axes_titlesize=9, xtick_labelsize=7)
        assert mpl.rcParams["figure.facecolor"] == mpl.rcParams["axes.facecolor"] == "none"
        assert mpl.rcParams["text.color"] == mpl.rcParams["ytick.color"] == AXES
        assert (mpl.rcParams["axes.titlesize"], mpl.rcParams["xtick.labelsize"]) == (9, 7)
