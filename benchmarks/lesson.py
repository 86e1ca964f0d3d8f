"""Run a whole lesson, with its exercises solved, in several accounts at once; needs root.

Each learner has an account, a home directory and a kernel there, and runs the lesson's cells one
after the other. While they do that, the PSS of all their processes is measured every few seconds;
other programs that use the same TensorFlow at that time take a share of its pages.

    python benchmarks/lesson.py [--lesson 03] [--learners 10] [--tasks 12] [--per-person 6]
        [--idle 30] [--json FILE]

The program exits with 1 if a cell failed or a check was not right.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import psutil
from versions import versions

sys.path.insert(0, str(Path(__file__).parents[1]))

from mwtutor.system.classroom import Shares
from tests.course.lesson import LESSONS, Cell, Lesson
from tests.support.machines.accounts import Account, accounts
from tests.support.runs.notebook_kernel import Kernel

#: Seconds between two measurements of the memory.
_PAUSE = 10.0

_WAITS = re.compile(r"aiting because this shared machine is full; (no|\d+) launch")


@dataclass
class Result:
    """The result of one learner's lesson.

    Attributes:
        minutes: from the first cell to the last one.
        right: how many checks, of exercises and in check cells, gave the expected result.
        checks: how many checks there are.
        wrong: the output of the other checks, and of cells that failed.
        waited: launches that had to wait.
        ahead: the maximum number of launches that one had to wait for.
    """

    minutes: float = 0.0
    right: int = 0
    checks: int = 0
    wrong: dict[str, str] = field(default_factory=dict)
    waited: int = 0
    ahead: int = 0


def take(lesson: Lesson) -> Result:
    """Run all cells of the lesson in a kernel, in this directory."""
    result, begun = Result(), time.monotonic()
    solutions = {f"exercise-{one.id}": one.solution for one in lesson.exercises}
    kernel = Kernel(Path.cwd())
    try:
        for cell in lesson.cells:
            (source,) = [solutions[tag] for tag in cell.tags if tag in solutions] or [cell.source]
            _judge(cell, *_run(kernel, source), result)
    finally:
        kernel.close()
    result.minutes = round((time.monotonic() - begun) / 60, 1)
    return result


def _run(kernel: Kernel, source: str) -> tuple[str, str, str]:
    """A cell's output, its standard error, and the exception that it raised."""
    shown: dict[str, str] = defaultdict(str)

    def hook(message: dict[str, Any]) -> None:
        content, kind = message["content"], message["msg_type"]
        if kind == "stream":
            shown[content["name"]] += content["text"]
        elif kind in ("display_data", "execute_result"):
            shown["stdout"] += content["data"].get("text/plain", "") + "\n"
        elif kind == "update_display_data":
            shown["stderr"] += content["data"].get("text/plain", "") + "\n"
        elif kind == "error":
            shown["error"] = f"{content['ename']}: {content['evalue']}"

    kernel.client.execute_interactive(source, output_hook=hook, timeout=None)
    return shown["stdout"].strip(), shown["stderr"], shown["error"]


def _judge(cell: Cell, shown: str, aside: str, error: str, result: Result) -> None:
    if places := _WAITS.findall(f"{shown}\n{aside}"):
        result.waited += 1
        result.ahead = max(result.ahead, *(int(one.replace("no", "0")) for one in places))
    verdicts = [tag.removeprefix("check-") for tag in cell.tags if tag.startswith("check-")]
    right = all(shown.startswith(f"{name}: right.") for name in verdicts)
    if cell.is_check:
        right = shown == cell.stored
    result.checks += cell.is_check or bool(verdicts)
    result.right += (cell.is_check or bool(verdicts)) and right and not error
    if error or not right:
        result.wrong[cell.id] = error or shown[-500:]


def memory(people: list[Account]) -> Counter[str]:
    """MiB of all processes of these people, by kind."""
    users = {person.entry.pw_uid for person in people}
    found: Counter[str] = Counter()
    for process in psutil.process_iter():
        try:
            if process.uids().real in users:
                found[_kind(process)] += process.memory_full_info().pss / 2**20
        except psutil.Error:  # the process has exited
            continue
    return found


def _kind(process: psutil.Process) -> str:
    title = " ".join(process.cmdline())
    for words, kind in (
        ("benchmarks/lesson.py", "benchmark"),
        ("ipykernel", "kernels"),
        ("fork server", "fork servers"),
        ("worker:", "workers"),
    ):
        if words in title:
            return kind
    return "the rest"


def measure(people: list[Account], lesson: str) -> tuple[list[Result], list[Counter[str]]]:
    """Every learner's result, and the samples of the memory."""
    command = [sys.executable, __file__, "--lesson", lesson, "--alone"]
    started = []
    for person in people:
        with Path(person.home, "printed").open("w") as printed:
            started.append(person.start(*command, stdout=printed))
    samples = []
    while any(one.poll() is None for one in started):
        samples.append(memory(people))
        time.sleep(_PAUSE)
    return list(map(_result, people, started)), samples


def _result(person: Account, process: subprocess.Popen[str]) -> Result:
    printed = Path(person.home, "printed").read_text()
    if process.returncode:
        return Result(wrong={"the lesson": printed[-2000:]})
    return Result(**json.loads(printed.splitlines()[-1]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lesson", default="03")
    parser.add_argument("--learners", type=int, default=10)
    parser.add_argument("--tasks", type=int, default=12)
    parser.add_argument("--per-person", type=int, default=6)
    parser.add_argument("--idle", type=int, default=30)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        (lesson,) = [one for one in LESSONS if one.number == options.lesson]
        print(json.dumps(asdict(take(lesson))))
        return 0
    limits = Shares(options.tasks, options.per_person, options.idle)
    with accounts(options.learners, limits) as people:
        results, samples = measure(people, options.lesson)
    peak = max(samples, key=Counter.total)
    print(f"Lesson {options.lesson}, {options.learners} learners at once; limits: {limits}.")
    print("| learner | minutes | checks right | launches that waited | most ahead of one |")
    print("|---|---|---|---|---|")
    for number, one in enumerate(results, 1):
        right = f"{one.right} of {one.checks}"
        print(f"| {number} | {one.minutes:.1f} | {right} | {one.waited} | {one.ahead} |")
    parts = ", ".join(f"{kind} {size:.0f}" for kind, size in sorted(peak.items()))
    print(
        f"Most memory (PSS; samples: {len(samples)}): {peak.total() / 1024:.1f} GiB; MiB: {parts}"
    )
    for number, one in enumerate(results, 1):
        for cell, shown in one.wrong.items():
            print(f"Learner {number}, {cell}: {shown}")
    if options.json:
        content = {
            "versions": versions(), "limits": asdict(limits),
            "peak_mib": {kind: round(size) for kind, size in peak.items()},
            "gib": [round(sample.total() / 1024, 2) for sample in samples],
            "learners": [asdict(one) for one in results],
        }  # fmt: skip
        options.json.write_text(json.dumps(content, indent=1) + "\n")
    return int(any(one.wrong for one in results))


if __name__ == "__main__":
    sys.exit(main())
