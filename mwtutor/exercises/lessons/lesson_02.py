"""Lesson 02: processes by hand."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from mwtutor.exercises.exercise import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong
from mwtutor.run import logs

# 02-1: the TF_CONFIG of every task

_CLUSTER = {
    "chief": ["10.0.0.1:2222"],
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "ps": ["10.0.0.4:2222"],
}
_EVALUATOR = ["10.0.0.5:2222"]
_ADDRESSES = {
    **{(job, i): one for job, tasks in _CLUSTER.items() for i, one in enumerate(tasks)},
    ("evaluator", 0): _EVALUATOR[0],
}


def _check_configs(work: Work) -> Verdict:
    configs = work.value("configs")
    if configs is not None and not isinstance(configs, Mapping):
        return wrong(f"`configs` is of type {type(configs).__name__}, not a dictionary.")
    if not configs:
        return not_yet("`configs` is empty.")
    read = {str(address): _read(config) for address, config in configs.items()}
    if unreadable := [address for address, config in read.items() if config is None]:
        return wrong(
            f"The value of {unreadable[0]} is not a TF_CONFIG: a dictionary with `cluster` and"
            " `task`, or the JSON text of one."
        )
    if missing := [one for one in _ADDRESSES.values() if one not in read]:
        return wrong(f"`configs` has no key {missing[0]!r}: every task needs a TF_CONFIG.")
    for task, address in _ADDRESSES.items():
        if words := _mistake(task, read[address] or {}):
            return wrong(words)
    return right("Five tasks, one cluster, and each knows who it is.")


def _read(config: Any) -> dict[str, Any] | None:
    try:
        found = json.loads(config) if isinstance(config, str) else config
        return {"cluster": dict(found["cluster"]), "task": dict(found["task"])}
    except (KeyError, TypeError, ValueError):
        return None


def _mistake(task: tuple[str, int], config: Mapping[str, Any]) -> str:
    (job, index), address = task, _ADDRESSES[task]
    cluster, said = config["cluster"], config["task"]
    if job != "evaluator" and "evaluator" in cluster:
        return (
            f"The cluster of {address} lists the evaluator. The others do not train with it and"
            " must not know of it."
        )
    own = {**_CLUSTER, "evaluator": _EVALUATOR} if job == "evaluator" else _CLUSTER
    if cluster not in (_CLUSTER, own):
        return f"The cluster of {address} {_other_cluster(cluster)}"
    if said.get("type") != job:
        return f"{address} is told that it is a {said.get('type')!r}; its job is {job!r}."
    if said.get("index") == str(index):
        return f"{address} is told index {said['index']!r}, which is a text: an index is a number."
    if said.get("index") != index:
        return (
            f"{address} is told index {said.get('index')!r}, but it is number {index} in the list"
            f" of its own job, {job!r}. Each job counts from 0."
        )
    return ""


def _other_cluster(cluster: Mapping[str, Any]) -> str:
    """What a cluster has that is not the cluster of this exercise."""
    if strange := [job for job in cluster if job not in (*_CLUSTER, "evaluator")]:
        return (
            f"has the job {strange[0]!r:.40}, which TensorFlow does not know. The table in section"
            " 7 has the names."
        )
    if single := [job for job, tasks in cluster.items() if not isinstance(tasks, list)]:
        return f"has no list of addresses for {single[0]!r}. A job of one task has a list of one."
    if missing := [job for job in _CLUSTER if job not in cluster]:
        return (
            f"does not list the job {missing[0]!r}. `cluster` is the same for every task, with all"
            " jobs that take part in the training; only `task` differs."
        )
    return "has not each address in the list of its job."


_TASKS = """\
cluster = {
    "chief": ["10.0.0.1:2222"],
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "ps": ["10.0.0.4:2222"],
}
"""

_CONFIGS = Exercise(
    id="02-1",
    title="Who is who",
    task=(
        "A chief runs on `10.0.0.1:2222`, two workers on `10.0.0.2:2222` and `10.0.0.3:2222`, a"
        " parameter server on `10.0.0.4:2222`, and an evaluator on `10.0.0.5:2222`. Fill"
        " `configs`: for each of the five addresses the `TF_CONFIG` of the task there, as a"
        " dictionary."
    ),
    stub='configs = {}  # address: {"cluster": ..., "task": ...}\n',
    check=_check_configs,
    hints=(
        "Write the cluster once. Who is in it?",
        "The index is a position in the list of the task's own job.",
        "Four tasks train, so four addresses are in the cluster; the evaluator only reads"
        " checkpoints.",
    ),
    solution=_TASKS
    + """\
tasks = {
    "10.0.0.1:2222": {"type": "chief", "index": 0},
    "10.0.0.2:2222": {"type": "worker", "index": 0},
    "10.0.0.3:2222": {"type": "worker", "index": 1},
    "10.0.0.4:2222": {"type": "ps", "index": 0},
    "10.0.0.5:2222": {"type": "evaluator", "index": 0},
}
configs = {address: {"cluster": cluster, "task": task} for address, task in tasks.items()}
""",
    reasoning=(
        "The cluster is one value, shared by all; writing it once makes it impossible to get it"
        " wrong in one place. Every job counts its own tasks from 0, so the first worker is index"
        " 0 although there is a chief. The evaluator is told of the cluster, but no cluster lists"
        " it: nobody waits for it or sends it gradients. TensorFlow's resolver wants to find the"
        " evaluator in its own copy, so adding it there is right, too."
    ),
    sabotages=(
        Sabotage(
            "the chief is worker 0, so the workers are 1 and 2",
            _TASKS
            + """\
order = [("chief", 0), ("worker", 1), ("worker", 2), ("ps", 3), ("evaluator", 4)]
configs = {
    f"10.0.0.{n}:2222": {"cluster": cluster, "task": {"type": job, "index": index}}
    for n, (job, index) in enumerate(order, 1)
}
""",
            "Each job counts from 0",
        ),
        Sabotage(
            "everybody who runs is in the cluster",
            _TASKS
            + """\
cluster["evaluator"] = ["10.0.0.5:2222"]
order = [("chief", 0), ("worker", 0), ("worker", 1), ("ps", 0), ("evaluator", 0)]
configs = {
    f"10.0.0.{n}:2222": {"cluster": cluster, "task": {"type": job, "index": index}}
    for n, (job, index) in enumerate(order, 1)
}
""",
            "lists the evaluator",
        ),
        Sabotage(
            "a task's cluster is the task itself",
            """\
order = [("chief", 0), ("worker", 0), ("worker", 1), ("ps", 0), ("evaluator", 0)]
configs = {
    f"10.0.0.{n}:2222": {
        "cluster": {job: [f"10.0.0.{n}:2222"]} if job != "evaluator" else {},
        "task": {"type": job, "index": index},
    }
    for n, (job, index) in enumerate(order, 1)
}
""",
            "`cluster` is the same for every task",
        ),
        Sabotage(
            "a job of one task has an address, not a list",
            """\
cluster = {
    "chief": "10.0.0.1:2222",
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "ps": "10.0.0.4:2222",
}
order = [("chief", 0), ("worker", 0), ("worker", 1), ("ps", 0), ("evaluator", 0)]
configs = {
    f"10.0.0.{n}:2222": {"cluster": cluster, "task": {"type": job, "index": index}}
    for n, (job, index) in enumerate(order, 1)
}
""",
            "A job of one task has a list of one",
        ),
        Sabotage(
            "a job may be called what it does",
            """\
cluster = {
    "chief": ["10.0.0.1:2222"],
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "parameter_server": ["10.0.0.4:2222"],
}
order = [("chief", 0), ("worker", 0), ("worker", 1), ("parameter_server", 0), ("evaluator", 0)]
configs = {
    f"10.0.0.{n}:2222": {"cluster": cluster, "task": {"type": job, "index": index}}
    for n, (job, index) in enumerate(order, 1)
}
""",
            "which TensorFlow does not know",
        ),
    ),
)

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
    title="Start the workers",
    task=(
        "Write `start_workers(program, configs)`: it starts one Python process for each"
        " `TF_CONFIG` in the list `configs`, and returns the processes without waiting for them."
        " The program of this exercise, `meet.py`, needs no TensorFlow: each process waits up to"
        " three seconds for the other, and notes whom it met. The notebook's own environment must"
        " be as before."
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

_MEAN = 1.71


def _check_repaired(work: Work) -> Verdict:
    run = work.run("repaired")
    if run is None:
        return not_yet("repaired.py has not been launched.")
    outcome = run.outcome
    if outcome is None:
        return not_yet("repaired.py has not ended yet.")
    if not outcome.ok:
        reasons = " ".join([outcome.reason, *(task.reason for task in run.tasks.values())])
        if "Collective ops must be configured" in reasons:
            return not_yet("It still fails as it did: an operation comes before the strategy.")
        return wrong(f"The run {outcome.status}: {outcome.reason}.")
    results = [
        _result(line.text)
        for line in logs.lines(run.spec, list(run.tasks))
        if line.text.startswith("RESULT ")
    ]
    verdict = _judge(results)
    if verdict.status == "right" and run.state.never_met():
        return wrong(
            "Both print the mean of all four, but no cluster was formed: each computed it alone."
        )
    return verdict


def _result(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text.removeprefix("RESULT "))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _judge(results: list[dict[str, Any]]) -> Verdict:
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
    means = [result["mean"] for result in results]
    if means[0] != means[1]:
        return wrong(
            f"The workers have different means, {means[0]} and {means[1]}: each has that of its own"
            " part, and nothing was added up."
        )
    if means[0] != _MEAN:
        return wrong(f"Both say {means[0]}, which is not the mean of the four numbers.")
    return right(f"Both workers know the mean of all four, {_MEAN}.")


_HEAD = "%%writefile repaired.py\nimport json\n\nimport tensorflow as tf\n\n"
_HEIGHTS = "heights = tf.constant([1.62, 1.74, 1.80, 1.68])\n"
_STRATEGY = "strategy = tf.distribute.MultiWorkerMirroredStrategy()\n"
_INDEX = "index = strategy.cluster_resolver.task_id\n"
_PART = "mine = heights[2 * index : 2 * index + 2]  # two of them for each worker\n"
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
    title="Repair a program",
    hard=True,
    task=(
        "`repaired.py` should compute the mean of four heights on two workers, two heights each."
        " It fails. Read why, and repair it: both workers must print the mean of all four."
    ),
    stub=_HEAD + _HEIGHTS + _STRATEGY + _INDEX + _PART + _REDUCED + _PRINT,
    check=_check_repaired,
    hints=(
        "`%mw_status repaired` says which line is to blame.",
        "You have met the message in section 4, as `early`.",
        "A constant is an operation, too. Nothing else in the program is wrong.",
    ),
    solution=_HEAD + _STRATEGY + _INDEX + _HEIGHTS + _PART + _REDUCED + _PRINT,
    reasoning=(
        "`tf.constant` is executed at once, and that starts TensorFlow's runtime, without a"
        " cluster. The strategy comes too late then: it wants to configure the runtime's"
        " communication before it starts. Once the strategy is there, operations may follow."
    ),
    sabotages=(
        Sabotage(
            "any strategy will do, as long as it does not complain",
            _HEAD
            + _HEIGHTS
            + "strategy = tf.distribute.MirroredStrategy()\n"
            + 'import os\nindex = json.loads(os.environ["TF_CONFIG"])["task"]["index"]\n'
            + _PART
            + _REDUCED
            + _PRINT,
            "each ran on its own",
        ),
        Sabotage(
            "under a strategy every result is everybody's",
            _HEAD
            + _STRATEGY
            + _INDEX
            + _HEIGHTS
            + _PART
            + "\n\n@tf.function\ndef mean():\n    return tf.reduce_mean(mine)\n"
            + _PRINT,
            "nothing was added up",
        ),
        Sabotage(
            "if the number is right, the workers have worked together",
            _HEAD
            + _HEIGHTS
            + 'found = {"replicas": 2, "mean": round(float(tf.reduce_mean(heights)), 2)}\n'
            + 'print("RESULT", json.dumps(found))\n',
            "no cluster was formed",
        ),
    ),
)

EXERCISES = (_CONFIGS, _START, _REPAIR)
