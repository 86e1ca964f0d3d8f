"""Cells on two workers, with mwtutor and ipyparallel alternately; the others have no cells."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

WORKERS = 2

#: The code that each task executes, by measurement.
CELLS = {
    "an empty cell": "pass",
    "1 MB pulled": "data = __import__('numpy').zeros(125_000)",
    "1,000 lines": "for number in range(1000): print('line', number)",
    "a figure": (
        "import matplotlib\nmatplotlib.use('agg')\nimport io, matplotlib.figure as f\n"
        "from IPython.display import Image, display\n"
        "one = f.Figure()\none.subplots().plot(range(100))\n"
        "file = io.BytesIO()\none.savefig(file)\ndisplay(Image(file.getvalue()))"
    ),
}


def measure(rounds: int) -> dict[str, dict[str, list[float]]]:
    """Milliseconds of each round, by cell and way."""
    import ipyparallel

    shell: Any = InteractiveShell.instance()
    found: dict[str, dict[str, list[float]]] = {name: {} for name in CELLS}
    with redirect_stdout(StringIO()):
        shell.run_line_magic("load_ext", "mwtutor")
        shell.run_cell(f"%mw_start {WORKERS} --oversubscribe").raise_error()
    try:
        with ipyparallel.Cluster(n=WORKERS, log_level=40) as client:
            view = client[:]
            view.block = True
            view.activate()
            for name, cell in CELLS.items():
                ways = _actions(shell, view, name, cell)
                for action in ways.values():
                    _milliseconds(action)
                for _ in range(rounds):
                    for way, action in ways.items():
                        found[name].setdefault(way, []).append(_milliseconds(action))
    finally:
        with redirect_stdout(StringIO()):
            shell.run_cell("%mw_stop")
    return found


def _actions(shell: Any, view: Any, name: str, cell: str) -> dict[str, Callable[[], None]]:
    def ours() -> None:
        shell.run_cell_magic("mw", "--no-export", cell)

    def theirs() -> None:
        shell.run_cell_magic("px", "", cell)

    if name != "1 MB pulled":
        return {"ours": ours, "engines": theirs}
    _milliseconds(ours)
    _milliseconds(theirs)

    def pull() -> None:
        shell.run_line_magic("mw_pull", "data")

    def get() -> None:
        view.pull("data", block=True)

    return {"ours": pull, "engines": get}


def _milliseconds(action: Callable[[], None]) -> float:
    with redirect_stdout(StringIO()):
        begun = time.perf_counter()
        action()
        return (time.perf_counter() - begun) * 1e3
