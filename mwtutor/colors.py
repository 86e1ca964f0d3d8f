"""The colors of states, in a notebook (light and dark) and in a terminal; the colors of plots."""

from __future__ import annotations

from collections.abc import Mapping

#: A color for each meaning. ``ground`` is the background, the same as JupyterLab's.
LIGHT: Mapping[str, str] = {
    "ground": "#ffffff",
    "text": "#1f2328",
    "faint": "#57606a",
    "going": "#0860ca",
    "good": "#1a7f37",
    "attention": "#835800",
    "bad": "#b42318",
    "stopped": "#7541cf",
}
DARK: Mapping[str, str] = {
    "ground": "#111111",
    "text": "#e6e6e6",
    "faint": "#a8b0b9",
    "going": "#79b8ff",
    "good": "#5fd38a",
    "attention": "#e3b341",
    "bad": "#ff8a80",
    "stopped": "#c9a6ff",
}
#: The colors in a terminal, which has its own background and text color.
TERMINAL: Mapping[str, str] = {
    "faint": "\x1b[2m",
    "going": "\x1b[34m",
    "good": "\x1b[32m",
    "attention": "\x1b[33m",
    "bad": "\x1b[31m",
    "stopped": "\x1b[35m",
}

#: The meaning of a state or of a finding's level; its colors follow from the meaning.
_MEANINGS = {
    "starting": "faint",
    "waiting": "attention",
    "running": "going",
    "restarting": "attention",
    "idle": "going",
    "executing": "going",
    "collectives broken": "bad",
    "serving": "going",
    "succeeded": "good",
    "failed": "bad",
    "timed out": "bad",
    "lost": "bad",
    "left out": "faint",
    "stopped": "stopped",
    "foreign": "faint",
    "unknown": "attention",
    "ok": "good",
    "note": "attention",
    "missing": "bad",
}

#: Lines, axes and text of a plot, which has no background: readable on light and dark.
AXES = "#797979"
CURVES = ("#3a80d2", "#c8641e", "#2a9152", "#d8434f", "#8f6ad0", "#13909c")


def meaning(state: str) -> str:
    """The meaning of a state, which determines its color; ``text`` for an unknown state."""
    return _MEANINGS.get(state, "text")


def terminal_style(state: str) -> str:
    """The escape sequence for a state's color in a terminal; empty for an unknown state."""
    return TERMINAL.get(meaning(state), "")
