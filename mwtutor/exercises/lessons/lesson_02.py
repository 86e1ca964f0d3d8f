"""Lesson 02: processes by hand."""

from __future__ import annotations

import json
import os
from typing import Any

from mwtutor.exercises.exercise import (
    Exercise,
    Sabotage,
    Verdict,
    Work,
    ended,
    not_yet,
    right,
    wrong,
)
from mwtutor.exercises.lessons.task_configs import CONFIGS
from mwtutor.run.logs import logs

# 02-2: start workers by hand


def _check_start(work: Work) -> Verdict:
    met = sorted((_note(path) for path in work.folder.glob("met-*.json")), key=str)
    started = len(list(work.folder.glob("here-*.json")))
    if not met and started:
        return wrong(
            f"Workers started: {started}, but none has left a note. Each failed before it could:"
            " read what it printed."
        )
    if not met:
        return not_yet("No worker was started.")
    if "TF_CONFIG" in os.environ:
        return wrong(
            "The workers ran, but TF_CONFIG is now set in the notebook as well: everything that"
            " you start later inherits it."
        )
    if len(met) != 2:
        return wrong(f"Two workers were to run, but {len(met)} did.")
    indices = sorted(note.get("index", -1) for note in met)
    if indices != [0, 1]:
        return wrong(
            f"The workers are {indices[0]} and {indices[1]}: each needs its own TF_CONFIG."
        )
    if not all(note.get("path") for note in met):
        return wrong(
            "A worker has TF_CONFIG and nothing else, not even PATH: `env=` is the whole"
            " environment of a process."
        )
    if alone := [note["index"] for note in met if note.get("met") != 2]:
        return wrong(
            f"Worker {alone[0]} met nobody and gave up: the other was not started while it ran."
        )
    if any(note.get("returned") is False for note in met):
        return wrong(
            "The workers ran and met, but they had ended before start_workers returned: it is not"
            " to wait for them."
        )
    processes = work.value("processes")
    if not isinstance(processes, (list, tuple)) or len(processes) != 2:
        return wrong(
            "The workers ran and met, but start_workers does not return the two processes: nobody"
            " could wait for them or end them."
        )
    return right("Two processes, two indices, and they met.")


def _note(path: Any) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


_START = Exercise(
    id="02-2",
    title="start the workers",
    task=(
        "Write `start_workers(program, configs)`: it starts one Python process for each"
        " `TF_CONFIG` (a JSON text) in the list `configs`, and returns a list of the processes"
        " without waiting for them."
        " The program of this exercise, `meet.py`, needs no TensorFlow: each process waits up to"
        " three seconds for the other and for the return of `start_workers`, and notes both. The"
        " notebook's own environment must be as before."
    ),
    stub="def start_workers(program, configs):\n    return []\n",
    check=_check_start,
    hints=(
        "`subprocess` has one function that waits for the process, and one class that does not.",
        "`subprocess.Popen([sys.executable, program], env=...)`: what has to be in `env`?",
        '`{**os.environ, "TF_CONFIG": config}` is a copy of ours with one variable changed.',
    ),
    solution="""\
def start_workers(program, configs):
    return [
        subprocess.Popen([sys.executable, program], env={**os.environ, "TF_CONFIG": config})
        for config in configs
    ]
""",
    reasoning=(
        "`Popen` returns as soon as the process exists, so the second is started while the first"
        " runs; workers wait for each other, and `subprocess.run` would wait for the first for"
        " ever. Each process gets a copy of our environment in which only TF_CONFIG is its own, and"
        " ours stays as it was."
    ),
    sabotages=(
        Sabotage(
            "start one, wait for it, start the next",
            """\
def start_workers(program, configs):
    return [
        subprocess.run([sys.executable, program], env={**os.environ, "TF_CONFIG": config})
        for config in configs
    ]
""",
            "met nobody",
        ),
        Sabotage(
            "a process is given the variables that are new",
            """\
def start_workers(program, configs):
    return [
        subprocess.Popen([sys.executable, program], env={"TF_CONFIG": config})
        for config in configs
    ]
""",
            "not even PATH",
        ),
        Sabotage(
            "the notebook's environment is where it is set",
            """\
def start_workers(program, configs):
    processes = []
    for config in configs:
        os.environ["TF_CONFIG"] = config
        processes.append(subprocess.Popen([sys.executable, program]))
    return processes
""",
            "everything that you start later inherits it",
        ),
        Sabotage(
            "all workers get the same",
            """\
def start_workers(program, configs):
    environment = {**os.environ, "TF_CONFIG": configs[0]}
    return [subprocess.Popen([sys.executable, program], env=environment) for _ in configs]
""",
            "each needs its own TF_CONFIG",
        ),
        Sabotage(
            "a worker knows by itself which one it is",
            """\
def start_workers(program, configs):
    return [subprocess.Popen([sys.executable, program]) for _ in configs]
""",
            "none has left a note",
        ),
        Sabotage(
            "whoever starts a process waits for its end",
            """\
def start_workers(program, configs):
    processes = [
        subprocess.Popen([sys.executable, program], env={**os.environ, "TF_CONFIG": config})
        for config in configs
    ]
    for process in processes:
        process.wait()
    return processes
""",
            "they had ended before start_workers returned",
        ),
        Sabotage(
            "to start them is enough",
            """\
def start_workers(program, configs):
    for config in configs:
        subprocess.Popen([sys.executable, program], env={**os.environ, "TF_CONFIG": config})
""",
            "does not return the two processes",
        ),
    ),
)

# 02-3: repair a program


def _check_repaired(work: Work) -> Verdict:
    run = ended(work, "repaired.py")
    if isinstance(run, Verdict):
        return run
    outcome = run.outcome
    if outcome is not None and not outcome.ok:
        reasons = " ".join([outcome.reason, *(task.reason for task in run.tasks.values())])
        if "Collective ops must be configured" in reasons:
            return not_yet("It still fails as it did: an operation comes before the strategy.")
        return wrong(f"The run {outcome.status}: {outcome.reason}.")
    lines = list(logs.lines(run.spec, list(run.tasks)))
    results = [
        found if isinstance(found, dict) else {}
        for found in (_said(line.text, "RESULT ") for line in lines)
        if found is not None
    ]
    drawn = {line.task: found for line in lines if (found := _said(line.text, "HEIGHTS "))}
    return _judge(results, list(drawn.values()), met=not run.state.never_met())


def _said(text: str, word: str) -> Any:
    """What a line says after this word; None if it does not begin with it."""
    try:
        return json.loads(text.removeprefix(word)) if text.startswith(word) else None
    except ValueError:
        return {}


def _judge(results: list[dict[str, Any]], drawn: list[Any], *, met: bool) -> Verdict:
    """Judge what the workers print.

    Args:
        results: a line of each worker.
        drawn: the two heights that each worker has drawn, and no other can know.
        met: whether they were in one cluster.
    """
    if len(results) != 2:
        return wrong(
            f"Two workers were to print one RESULT each; lines with RESULT: {len(results)}."
        )
    if not all({"replicas", "mean"} <= set(result) for result in results):
        return wrong("A RESULT lacks `replicas` or `mean`: leave the last two lines as they are.")
    replicas = [result["replicas"] for result in results]
    if replicas != [2, 2]:
        return wrong(
            f"The workers count {replicas[0]} and {replicas[1]} replicas: each ran on its own,"
            " because no strategy joined them in a cluster."
        )
    if not met:
        return wrong("Both count two replicas, but no cluster was formed: each was alone.")
    if len(drawn) != 2 or not all(map(_is_pair, drawn)):
        return wrong("Each worker is to measure two heights, with `measured.heights()`.")
    means = [result["mean"] for result in results]
    if all(_near(mean, sum(two) / 2) for mean, two in zip(means, drawn, strict=True)):
        return wrong(
            f"The workers have different means, {means[0]} and {means[1]}: each has that of its own"
            " two, and nothing was added up."
        )
    expected = sum(map(sum, drawn)) / 4
    if not all(_near(mean, expected) for mean in means):
        heights = ", ".join(f"{one:.2f}" for two in drawn for one in two)
        return wrong(
            f"The workers print {means[0]} and {means[1]}; the mean of {heights} is {expected:.2f}."
        )
    return right(f"Both workers know the mean of all four, {expected:.2f}.")


def _is_pair(two: Any) -> bool:
    numbers = isinstance(two, list) and all(isinstance(one, int | float) for one in two)
    return numbers and len(two) == 2


def _near(number: Any, expected: float) -> bool:
    """Whether it is that number, rounded to two digits."""
    return isinstance(number, int | float) and abs(number - expected) < 0.006


_HEAD = "%%writefile repaired.py\nimport json\n\nimport tensorflow as tf\n\nimport measured\n\n"
_MINE = "mine = tf.constant(measured.heights())  # two, which no other worker knows\n"
_STRATEGY = "strategy = tf.distribute.MultiWorkerMirroredStrategy()\n"
_REDUCED = """

@tf.function
def mean():
    context = tf.distribute.get_replica_context()
    return context.all_reduce("SUM", tf.reduce_sum(mine)) / 4
"""
_PRINT = """

found = {"replicas": strategy.num_replicas_in_sync, "mean": round(float(strategy.run(mean)), 2)}
print("RESULT", json.dumps(found))
"""

_REPAIR = Exercise(
    id="02-3",
    title="repair a program",
    hard=True,
    task=(
        "`repaired.py` should compute the mean of four heights on two workers, which measure two"
        " each. It fails. Read why, and repair it: both workers must print the mean of all four."
        " Leave the last two lines as they are."
    ),
    stub=_HEAD + _MINE + _STRATEGY + _REDUCED + _PRINT,
    check=_check_repaired,
    hints=(
        "`%mw_status repaired` says which line is to blame.",
        "You have met the message in section 4, as `early`.",
        "A constant is an operation, too. Nothing else in the program is wrong.",
    ),
    solution=_HEAD + _STRATEGY + _MINE + _REDUCED + _PRINT,
    reasoning=(
        "`tf.constant` is executed at once, and that starts TensorFlow's runtime, without a"
        " cluster. The strategy comes too late then: it wants to configure the runtime's"
        " communication before it starts. Once the strategy is there, operations may follow."
    ),
    sabotages=(
        Sabotage(
            "any strategy will do, as long as it does not complain",
            _HEAD + _MINE + "strategy = tf.distribute.MirroredStrategy()\n" + _REDUCED + _PRINT,
            "each ran on its own",
        ),
        Sabotage(
            "under a strategy every result is everybody's",
            _HEAD
            + _STRATEGY
            + _MINE
            + "\n\n@tf.function\ndef mean():\n    return tf.reduce_mean(mine)\n"
            + _PRINT,
            "nothing was added up",
        ),
        Sabotage(
            "what prints two replicas is two replicas",
            _HEAD
            + _MINE
            + 'found = {"replicas": 2, "mean": round(float(tf.reduce_mean(mine)), 2)}\n'
            + 'print("RESULT", json.dumps(found))\n',
            "no cluster was formed",
        ),
    ),
)

EXERCISES = (CONFIGS, _START, _REPAIR)
