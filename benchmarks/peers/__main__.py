"""Compare mwtutor with the other ways to launch multi-worker TensorFlow, one after the other.

    make bench WHAT=peers [ARGS='--quick']
    .venv-peers/bin/python benchmarks/peers [--quick] [--workers 1 2 4 8] [--rounds 2]
        [--only launches ...] [--megabytes 100] [--json FILE [--more]] [--figure FILE]
        [--table FILE]

The plain recipe, TensorFlow's ``multi_process_runner``, ipyparallel, Ray Train's
``TensorflowTrainer`` and mwtutor execute the same programs, which do not import mwtutor. A dash
marks a measurement that was not made, or that is not possible in that way. Machines are noisy:
trust the ratios, and look at the load average below them.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parents[1]))

import cells
import failures
import figure
import launches
import output
import steps
from table import Values, table
from versions import versions
from ways import WAYS

SUBJECTS = ("launches", "failures", "steps", "output", "cells")

Found = dict[str, dict[str, list[float | str]]]


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--quick", action="store_true", help="two workers, one round, 10 MB: for a first try")
    add("--workers", type=int, nargs="+", default=[1, 2, 4, 8])
    add("--rounds", type=int, default=2)
    add("--only", nargs="+", choices=SUBJECTS, default=SUBJECTS)
    add("--ways", nargs="+", choices=list(WAYS), default=list(WAYS))
    add("--patience", type=float, default=30.0, help="seconds to wait for a failure to be reported")
    add("--megabytes", type=int, default=100, help="megabytes of output")
    add("--more", action="store_true", help="add to the results of an earlier run in --json")
    for name in ("json", "figure", "table"):
        add(f"--{name}", type=Path)
    chosen = parser.parse_args()
    if chosen.more and not (chosen.json and chosen.json.exists()):
        parser.error("--more needs --json FILE, written by an earlier run")
    if chosen.quick:
        chosen.workers, chosen.rounds, chosen.megabytes = [2], 1, 10
    return chosen


def main() -> None:
    asked = options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that finally blocks clean up
    before = json.loads(asked.json.read_text()) if asked.more else {"found": {}, "loads": []}
    found: dict[str, Found] = before["found"]
    loads = before["loads"] or [os.getloadavg()[0]]
    try:
        for subject in asked.only:
            MEASURES[subject](asked, found.setdefault(subject, {}))
            loads.append(os.getloadavg()[0])
    finally:  # Ctrl-C does not lose what was measured
        load = ", ".join(f"{one:.1f}" for one in loads)
        told = (
            f"{report(found)}\n\n{os.cpu_count()} cores; load average (1 min) before the first part"
            f" and after each: {load}."
        )
        print(told)
        if asked.table:
            asked.table.write_text(told + "\n")
        if asked.json:
            with_what = versions("ipyparallel", "ray")
            data = {"versions": with_what, "loads": loads, "found": found}
            asked.json.write_text(json.dumps(data, indent=1) + "\n")
        if asked.figure and found.get("launches"):
            figure.draw(grown(found["launches"]), WAYS, asked.figure)


def in_turn(
    asked: argparse.Namespace,
    found: Found,
    rows: dict[str, tuple[object, ...]],
    measure: Callable[..., dict[str, float | str]],
    rounds: int,
) -> None:
    """Measure every row in every way, once per round.

    Args:
        rows: for each measurement, by name, the arguments that follow the way in ``measure``.
    """
    for name, arguments in rows.items():
        for _ in range(rounds):
            for way in asked.ways:
                told = measure(way, *arguments)
                print(f"{name:32} {way:10} {told}", flush=True)
                for what, value in told.items():
                    row = found.setdefault(f"{name}: {what}", {})
                    row.setdefault(way, []).append(value)


def measure_launches(asked: argparse.Namespace, found: Found) -> None:
    rows = {f"{n} worker{'s' * (n != 1)}": (n,) for n in asked.workers}
    in_turn(asked, found, rows, launches.measure, asked.rounds)


def measure_failures(asked: argparse.Namespace, found: Found) -> None:
    rows = {phase: (phase, asked.patience) for phase in failures.PHASES}
    in_turn(asked, found, rows, failures.measure, 1)


def measure_steps(asked: argparse.Namespace, found: Found) -> None:
    in_turn(asked, found, {kind: (kind,) for kind in steps.KINDS}, steps.measure, asked.rounds)


def measure_output(asked: argparse.Namespace, found: Found) -> None:
    rows = {f"{asked.megabytes} MB": (asked.megabytes,)}
    in_turn(asked, found, rows, output.measure, 1)


def measure_cells(asked: argparse.Namespace, found: Found) -> None:
    for name, by_way in cells.measure(5 if asked.quick else 20).items():
        found[f"{name} ms"] = {way: list(times) for way, times in by_way.items()}


MEASURES = {
    "launches": measure_launches,
    "failures": measure_failures,
    "steps": measure_steps,
    "output": measure_output,
    "cells": measure_cells,
}


def report(found: dict[str, Found]) -> str:
    return "\n\n".join(table(subject, rows, WAYS) for subject, rows in found.items())


def grown(found: Found) -> dict[str, dict[str, dict[int, Values]]]:
    """The rounds of each figure, by way and by number of workers."""
    drawn: dict[str, dict[str, dict[int, Values]]] = {name: {} for name in figure.FIGURES}
    for row, by_way in found.items():
        workers, _, what = row.partition(": ")
        for way, values in by_way.items():
            if what in drawn:
                drawn[what].setdefault(way, {})[int(workers.split()[0])] = values
    return drawn


if __name__ == "__main__":
    main()
