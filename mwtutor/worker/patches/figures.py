"""Keep the figures that a program shows: a task has no window, and matplotlib would only warn.

``plt.show()`` saves each open figure beside the task's log and returns, as it does without a
display. A figure that has not changed since it was saved is not saved again.
"""

from __future__ import annotations

import contextlib
import functools
import io
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from mwtutor import metrics
from mwtutor.system.files import write_whole
from mwtutor.system.importhook import when_imported

#: Maximum number of figures that a task keeps.
MOST = 50

#: The backends that draw into files, and display nothing.
_WITHOUT_WINDOWS = {"agg", "cairo", "pdf", "ps", "svg", "template"}


def file(log: Path, number: int) -> Path:
    """The path of the figure with that number, counted from 1."""
    return log.with_name(f"{log.stem}-figure-{number}.png")


def install(log: str) -> None:
    when_imported("matplotlib.pyplot", functools.partial(_keep, log=Path(log)))


def _keep(pyplot: ModuleType, log: Path) -> None:
    show, kept = pyplot.show, 0

    @functools.wraps(show)
    def keep_and_show(*args: Any, **kwargs: Any) -> Any:
        nonlocal kept
        if pyplot.get_backend().lower() not in _WITHOUT_WINDOWS:
            return show(*args, **kwargs)
        for figure in [manager.canvas.figure for manager in _managers(pyplot)]:
            kept += kept <= MOST and _kept(figure, file(log, kept + 1), full=kept == MOST)
        return None

    pyplot.show = keep_and_show  # type: ignore[attr-defined]


def _managers(pyplot: ModuleType) -> list[Any]:
    helper: Any = pyplot._pylab_helpers
    return list(helper.Gcf.get_all_fig_managers())


def _kept(figure: Any, path: Path, *, full: bool) -> bool:
    """Save a figure that has changed since it was last saved."""
    # A figure that cannot be drawn or written is lost, but does not stop the program.
    with contextlib.suppress(Exception):
        drawn = io.BytesIO()
        figure.savefig(drawn, format="png")
        if getattr(figure, "_mwtutor_kept", b"") == drawn.getvalue():
            return False
        if full:
            print(f"mwtutor keeps the first {MOST} figures of a task.", file=sys.stderr)
            return True
        write_whole(path, drawn.getvalue())
        figure._mwtutor_kept = drawn.getvalue()
        metrics.send("figure_kept", wait=1.0)
        return True
    return False
