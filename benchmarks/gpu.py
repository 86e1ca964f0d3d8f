"""Test mwtutor on the GPUs of this machine: tests, a notebook, and the time per step.

    python benchmarks/gpu.py [--json FILE] [--workers 2] [--rounds 3]

It runs the tests that need a GPU, and notebook 10b with its hardware cells. Then it runs the
notebook's program alternately on the CPU and on GPUs, with each kind of collective that works on
this machine; if there are too few GPUs, the workers share them. The table and the JSON give the
date, the card, the versions, and what was skipped and why. Without a GPU, everything that needs one
is skipped, and the JSON says so.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import mwtutor
from mwtutor.cluster import TaskId
from mwtutor.devices.gpus import find

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "notebooks" / "10b_faster_steps.ipynb"

#: The findings of the doctor on which the figures depend.
CONDITIONS = ("Python", "TensorFlow", "Keras", "CUDA", "NCCL", "GPU driver", "GPUs", "Processors")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    diagnosis = mwtutor.doctor(options.workers)
    print(diagnosis)
    files = "tests/e2e/test_devices.py", "tests/unit/devices/test_gpus.py"
    tests = run_tests(ROOT, "-m", "", *files)  # -m "" also selects tests that make test omits
    with tempfile.TemporaryDirectory() as where:  # a notebook leaves files in its directory
        shutil.copy(NOTEBOOK, where)
        tests += run_tests(where, "--nbval-lax", "--nbval-cell-timeout=400", NOTEBOOK.name)
    result = {
        "date": time.strftime("%Y-%m-%d"),
        "gpus": [device.name for device in find().devices],
        "doctor": {item.name: item.found for item in diagnosis.findings if item.name in CONDITIONS},
        "tests": tests,
        "steps": steps(options.workers, options.rounds),
    }
    show(result)
    if options.json:
        Path(options.json).write_text(json.dumps(result, indent=1) + "\n")
    return int(any(test["outcome"] == "failed" for test in tests))


def run_tests(cwd: str | Path, *words: str) -> list[dict[str, Any]]:
    """The outcome of each test, and the reason if it was skipped."""
    with tempfile.TemporaryDirectory() as where:
        report = Path(where, "report.xml")
        base = ["-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
        subprocess.run([sys.executable, "-m", "pytest", *base, *words], cwd=cwd, check=False)
        return [_outcome(case) for case in ET.parse(report).iter("testcase")]


def _outcome(case: ET.Element) -> dict[str, Any]:
    skipped, failed = case.find("skipped"), case.find("failure")
    failed = case.find("error") if failed is None else failed
    outcome = "passed" if skipped is None and failed is None else "failed"
    return {
        "test": f"{case.get('classname')}::{case.get('name')}",
        "outcome": "skipped" if skipped is not None else outcome,
        "reason": "" if skipped is None else skipped.get("message", ""),
        "seconds": round(float(case.get("time", 0)), 2),
    }


#: The launch options of each way that is measured.
WAYS: dict[str, dict[str, Any]] = {
    "CPU, RING": {"comm": "ring", "gpus_per_worker": 0},
    **{comm.upper(): {"comm": comm, "share_gpus": True} for comm in ("ring", "nccl", "auto")},
}


def steps(workers: int, rounds: int) -> dict[str, Any]:
    """For each way, the median milliseconds per step, or why it was refused."""
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    programs = [source for source in sources if source.startswith("%%writefile ")]
    found: dict[str, list[float]] = {}
    ran: dict[str, str] = {}
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as where:
        os.chdir(where)
        try:
            for program in programs:  # steps.py, and what it imports
                magic, _, text = program.partition("\n")
                Path(magic.removeprefix("%%writefile ")).write_text(text)
            for _ in range(rounds):
                for way, options in WAYS.items():
                    try:
                        run = mwtutor.launch("steps.py", workers=workers, **options)
                    except mwtutor.MwtutorError as refused:
                        ran[way] = f"refused: {refused.problem}"
                        continue
                    run.wait()
                    task = run.tasks[TaskId("worker", 0)]
                    found.setdefault(way, []).append(task.metrics["milliseconds"])
                    seen = run.collectives
                    ran[way] = f"{seen.ran or 'not known'} on {' and '.join(seen.devices)}"
        finally:
            os.chdir(here)
    return {
        way: {
            "ran": ran[way],
            **({"milliseconds": statistics.median(found[way])} if way in found else {}),
        }
        for way in ran
    }


def show(result: dict[str, Any]) -> None:
    counts = dict.fromkeys(("passed", "failed", "skipped"), 0)
    for test in result["tests"]:
        counts[test["outcome"]] += 1
    print("\ntests:", ", ".join(f"{number} {kind}" for kind, number in counts.items()))
    for reason in sorted({test["reason"] for test in result["tests"] if test["reason"]}):
        print("  skipped:", reason)
    print("| asked | ran | ms per step |\n|---|---|---|")
    for way, row in result["steps"].items():
        shown = f"{row['milliseconds']:.2f}" if "milliseconds" in row else ""
        print(f"| {way} | {row['ran']} | {shown} |")


if __name__ == "__main__":
    sys.exit(main())
