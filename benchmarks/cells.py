"""Measure the round trip of a cell to all workers, with mwtutor and with ipyparallel's ``%%px``.

The cell is empty, or prints lines (``--lines 1000``).

Both are measured in one process, through their cell magics, alternately, because on a busy machine
only the ratio matters.

    pip install ipyparallel
    python benchmarks/cells.py [--workers 2 4 8] [--lines N] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from versions import versions

ROUNDS, BLOCK = 20, 10


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def run(shell: Any, cell: str) -> None:
    with redirect_stdout(StringIO()):
        shell.run_cell(cell).raise_error()


def magic(shell: Any, lines: int, name: str, line: str = "") -> None:
    """Execute a cell that prints lines, without IPython's own work for every cell of a notebook."""
    with redirect_stdout(StringIO()) as shown:
        shell.run_cell_magic(name, line, f"for line in range({lines}): print('line', line)")
    assert shown.getvalue().count("line") >= lines


def in_turns(first: Callable[[], None], second: Callable[[], None]) -> tuple[float, float]:
    """The median time of each action in seconds, measured alternately."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for action, kept in zip((first, second), times, strict=True):
            action()  # not measured: it refills caches after the other action
            kept += [seconds(action) for _ in range(BLOCK)]
    return statistics.median(times[0]), statistics.median(times[1])


def measure(shell: Any, workers: int, lines: int) -> dict[str, float]:
    import ipyparallel

    ready = seconds(lambda: run(shell, f"%mw_start {workers}"))
    cluster = ipyparallel.Cluster(n=workers, log_level=40)
    start = time.perf_counter()
    client = cluster.start_and_connect_sync(activate=True)
    try:
        client[:].execute("import tensorflow", block=True)
        tensorflow = time.perf_counter() - start
        ours, theirs = in_turns(
            lambda: magic(shell, lines, "mw", "--no-export"), lambda: magic(shell, lines, "px")
        )
    finally:
        cluster.stop_cluster_sync()
        run(shell, "%mw_stop")
    return {
        "workers": workers,
        "lines": lines,
        "mw_ms": ours * 1e3,
        "px_ms": theirs * 1e3,
        "ratio": ours / theirs,
        "mw_ready_s": ready,
        "px_ready_s": tensorflow,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, nargs="+", default=[2, 4, 8])
    parser.add_argument("--lines", type=int, default=0, help="how many lines the cell prints")
    parser.add_argument("--json", default="")
    options = parser.parse_args()
    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "mwtutor")
    run(shell, "%mw_start 1")  # now the fork server has imported TensorFlow, as in a notebook
    run(shell, "%mw_stop")
    head = (
        "workers",
        "lines",
        "%%mw, ms",
        "%%px, ms",
        "ratio",
        "%mw_start, s",
        "engines + TensorFlow, s",
    )
    print("  ".join(head))
    rows = []
    for workers in options.workers:
        row = measure(shell, workers, options.lines)
        rows.append(row)
        texts = [f"{workers}", f"{options.lines}", *(f"{row[key]:.2f}" for key in list(row)[2:])]
        line = "  ".join(f"{t:>{len(h)}}" for t, h in zip(texts, head, strict=True))
        print(line, flush=True)
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"versions": versions("ipyparallel"), "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
