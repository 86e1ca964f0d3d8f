"""The look of the pictures that a notebook draws itself."""

from __future__ import annotations

from typing import Any

from mwtutor.colors import AXES

_TEXT = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
_BACKGROUND = ("figure.facecolor", "axes.facecolor", "savefig.facecolor")
_SMALL = {"legend.framealpha": 0, "legend.fontsize": 8, "axes.titlesize": 10}


def use_page_colors(**settings: Any) -> None:
    """Draw without a background, in colors that can be read on light pages and on dark ones.

    Args:
        settings: additional ``matplotlib.rcParams``, with ``_`` for the dot: ``font_size=8``.
    """
    from matplotlib import rcParams

    rcParams.update(dict.fromkeys(_TEXT, AXES) | dict.fromkeys(_BACKGROUND, "none") | _SMALL)
    rcParams.update({name.replace("_", ".", 1): value for name, value in settings.items()})
