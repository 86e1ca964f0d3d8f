"""The exercises of lesson 14: Beyond one machine."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from mwtutor.exceptions import MwtutorError
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
from mwtutor.exercises.lessons.broken_cluster import BROKEN
from mwtutor.targets.task import environment

# 14-1: one pod of many

_JOB = "digits"


def _check_pod(work: Work) -> Verdict:
    options, env = work.value("options"), work.value("env")
    if not isinstance(options, str) or not _is_environment(env) or not (options and env):
        return not_yet("`options` is to be a text, and `env` a dictionary of texts.")
    try:
        shape = _shape(options)
        found = environment.find(shape, {environment.SERVICE: _JOB, **env})
    except (_Misspelt, MwtutorError) as error:
        return wrong(f"mwtutor exec would say: {str(error).splitlines()[0]}")
    tasks = [str(task) for task in found.cluster.tasks()]
    count = {job: sum(one.startswith(job) for one in tasks) for job in ("chief", "worker", "ps")}
    seen = f"A cluster of {len(tasks)} tasks: {', '.join(tasks)}"
    if len(tasks) != 5 or count != {"chief": 1, "worker": 3, "ps": 1}:
        return wrong(f"{seen}. The Job has five pods: a chief, three workers, a parameter server.")
    if str(found.task) != "ps:0":
        return wrong(f"The tasks are right, but with this `env` the pod is {found.task}.")
    host = env.get("HOSTNAME", "").partition(".")[0]
    if host != f"{_JOB}-4":
        return wrong(
            f"The tasks are right, but no pod of the Job `{_JOB}` is called {host[:60]!r}: the"
            " others would be looked for under names that do not exist."
        )
    address = found.cluster.address(found.task)
    return right(f"{seen}. This pod is {found.task}, at {address}.")


def _is_environment(env: Any) -> bool:
    return isinstance(env, Mapping) and all(
        isinstance(text, str) for pair in env.items() for text in pair
    )


class _Misspelt(Exception):
    """Options that ``mwtutor exec`` would not take."""


class _Options(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _Misspelt(message)


def _shape(options: str) -> environment.Shape:
    parser = _Options(add_help=False)
    for name in ("--workers", "--ps"):
        parser.add_argument(name, type=int, default=0)
    for name in ("--chief", "--evaluator"):
        parser.add_argument(name, action="store_true")
    try:
        words = shlex.split(options)
    except ValueError as error:
        raise _Misspelt(str(error)) from None
    return environment.Shape(**vars(parser.parse_args(words)))


def _pod(options: str, index: int | str, host: str = "") -> str:
    return f"""\
options = "{options}"
env = {{
    "JOB_COMPLETION_INDEX": "{index}",
    "HOSTNAME": "{host or f"{_JOB}-{index}"}",
}}
"""


_RIGHT_OPTIONS = "--workers 3 --chief --ps 1"

_POD = Exercise(
    id="14-1",
    title="one pod of many",
    task=(
        "A Kubernetes Job `digits` has five pods: a chief, three workers and a parameter server."
        " All of them execute `mwtutor exec OPTIONS main.py`. Write into `options` what stands for"
        " OPTIONS, as text; and into `env` the two variables `JOB_COMPLETION_INDEX` and `HOSTNAME`"
        " as Kubernetes sets them in the pod that is to be the parameter server."
    ),
    stub='options = ""\nenv = {}\n',
    check=_check_pod,
    hints=(
        "`options` is the same in all pods; only `env` differs.",
        "In which order are the numbers dealt out to chief, workers and parameter servers? Section"
        " 3 says it.",
        "The five numbers begin with 0, and a pod's host name ends in its own.",
    ),
    solution=_pod(_RIGHT_OPTIONS, 4),
    reasoning=(
        "A Job tells a pod its number and nothing else, so the options say how the numbers are"
        " divided: 0 is the chief, 1 to 3 are the workers, 4 is the parameter server. `--workers`"
        " counts workers alone, as in `mwtutor launch`. With the number comes the host name, from"
        " which the names of all others follow."
    ),
    sabotages=(
        Sabotage(
            "--workers counts all tasks",
            _pod("--workers 5 --chief --ps 1", 6),
            "A cluster of 7 tasks",
        ),
        Sabotage(
            "each kind of task is counted from 0",
            _pod(_RIGHT_OPTIONS, 0),
            "the pod is chief:0",
        ),
        Sabotage(
            "pods are counted from 1",
            _pod(_RIGHT_OPTIONS, 5),
            "number 5",
        ),
        Sabotage(
            "the scheduler knows how many there are of each",
            _pod("--chief --ps 1", 4),
            "does not say of how many",
        ),
        Sabotage(
            "only the end of a host's name counts",
            _pod(_RIGHT_OPTIONS, 4, "server-4"),
            "under names that do not exist",
        ),
        Sabotage(
            "a host has the name of its task",
            _pod(_RIGHT_OPTIONS, 4, "digits-ps-0"),
            "does not end in -4",
        ),
    ),
)

# 14-2: a model on two tasks

#: The widths between the layers, and what a task may keep.
_WIDTHS = (784, 128, 32, 128, 784)
_ROOM = 450_000

_FIRST, _SECOND = "worker:0", "worker:1"


def _check_placed(work: Work) -> Verdict:
    run = ended(work, "run_placed.py")
    if isinstance(run, Verdict):
        return run
    if run.outcome is None or not run.outcome.ok:
        return wrong(f"The run has failed: {run.outcome.reason if run.outcome else ''}"[:300])
    try:
        told = json.loads((work.folder / "placed.json").read_text())
        kernels, images, outputs = _arrays(work.folder / "placed.npz")
        variables, computed = told["variables"], told["outputs"]
    except (OSError, ValueError, KeyError, TypeError):
        return wrong("What run_placed.py writes is not there: let it come to its end.")
    if [kernel.shape for kernel in kernels] != list(pairwise(_WIDTHS)):
        return wrong("The model is another one: leave the shapes as they are.")
    if not _is_its_model(kernels, images, outputs):
        return wrong("The outputs are not those of this model with these kernels.")
    return _judge_places(variables, computed)


def _arrays(path: Path) -> tuple[list[Any], Any, list[Any]]:
    with np.load(path) as file:
        layers = range(len(_WIDTHS) - 1)
        kernels = [file[f"kernel{at}"] for at in layers]
        return kernels, file["images"], [file[f"output{at}"] for at in layers]


def _is_its_model(kernels: list[Any], images: Any, outputs: list[Any]) -> bool:
    here = images
    for kernel, output in zip(kernels, outputs, strict=True):
        here = np.maximum(here @ kernel, 0)
        if here.shape != output.shape or not np.allclose(here, output, atol=1e-3):
            return False
    return True


def _judge_places(variables: list[str], computed: list[str]) -> Verdict:
    places = {*variables, *computed}
    if places == {"chief:0"}:
        return not_yet("All four kernels are on the chief, and it computes all four layers.")
    if not set(variables) <= {_FIRST, _SECOND}:
        return wrong(f"The layers keep their kernels on {_listed(variables)}: not on the workers.")
    if computed != variables:
        return wrong(
            f"The kernels are on {_listed(variables)}, but the layers are computed on"
            f" {_listed(computed)}: each kernel is copied there at every step."
        )
    sizes = [4 * a * b for a, b in pairwise(_WIDTHS)]
    kept = {
        task: sum(size for size, place in zip(sizes, variables, strict=True) if place == task)
        for task in (_FIRST, _SECOND)
    }
    if max(kept.values()) > _ROOM:
        full = max(kept, key=lambda task: kept[task])
        return wrong(f"{full} keeps {kept[full]:,} bytes; there is room for {_ROOM:,}.")
    crossings = [
        4 * width
        for width, before, after in zip(_WIDTHS[1:], variables, variables[1:], strict=False)
        if before != after
    ]
    crossing = f"{sum(crossings):,} bytes of each row go from task to task"
    if len(crossings) > 1:
        return wrong(f"{crossing}, on {len(crossings)} ways: it fits, but goes to and fro.")
    if crossings != [4 * min(_WIDTHS)]:
        return wrong(f"{crossing}, once: it fits, but there is a narrower place.")
    shares = " and ".join(f"{size:,}" for size in kept.values())
    return right(f"The tasks keep {shares} bytes, and {crossing}.")


def _listed(places: list[str]) -> str:
    return ", ".join(places)


def _placed(variables: str, layers: str) -> str:
    return f"""\
%%writefile placed.py
import tensorflow as tf

FIRST, SECOND = "/job:worker/task:0", "/job:worker/task:1"
CHIEF = "/job:chief/task:0"

VARIABLES = [{variables}]  # where the kernel of each layer is kept
LAYERS = [{layers}]  # where each layer is computed


def make(shapes):
    kernels = []
    for shape, place in zip(shapes, VARIABLES):
        with tf.device(place):
            kernels.append(tf.Variable(tf.random.stateless_normal(shape, [1, 2]) / shape[0] ** 0.5))
    return kernels


def call(kernels, images):
    \"\"\"The output of each layer.\"\"\"
    outputs = [images]
    for kernel, place in zip(kernels, LAYERS):
        with tf.device(place):
            outputs.append(tf.nn.relu(outputs[-1] @ kernel))
    return outputs[1:]
"""


def _both(places: str) -> str:
    return _placed(places, places)


_ON_CHIEF = "CHIEF, CHIEF, CHIEF, CHIEF"
_HALVES = "FIRST, FIRST, SECOND, SECOND"

_PLACED = Exercise(
    id="14-2",
    title="a model on two tasks",
    task=(
        "A model has four layers, with kernels of 784 x 128, 128 x 32, 32 x 128 and 128 x 784"
        f" numbers of 4 bytes. A worker has room for {_ROOM:,} bytes of kernels. Place the layers"
        " on the two workers so that nothing is kept or computed by the chief, and as few bytes as"
        " possible go from one worker to the other. Change the two lists `VARIABLES` and `LAYERS`;"
        " the cell after yours launches the program."
    ),
    stub=_both(_ON_CHIEF),
    check=_check_placed,
    hints=(
        "How many bytes has each kernel? Which layers cannot be on the same worker?",
        "What goes from one worker to the other is the output of a layer. How wide is it after"
        " each layer?",
        "A layer is computed where its kernel is, or the kernel travels.",
    ),
    solution=_both(_HALVES),
    reasoning=(
        "The first and the last kernel have 401,408 bytes each, so they are on different workers;"
        " the other two fit on either. Between the second layer and the third a row is 32 numbers"
        " wide, elsewhere 128: so the cut is there, and only once. Each layer is computed where its"
        " kernel is: activations are small, kernels are large."
    ),
    sabotages=(
        Sabotage(
            "where a variable is, there it is computed",
            _placed(_HALVES, _ON_CHIEF),
            "each kernel is copied there at every step",
        ),
        Sabotage(
            "what counts is where it is computed",
            _placed(_ON_CHIEF, _HALVES),
            "not on the workers",
        ),
        Sabotage(
            "in turn is balanced",
            _both("FIRST, SECOND, FIRST, SECOND"),
            "goes to and fro",
        ),
        Sabotage(
            "any cut does if it fits",
            _both("FIRST, SECOND, SECOND, SECOND"),
            "there is a narrower place",
        ),
        Sabotage(
            "one of the workers is enough",
            _both("SECOND, SECOND, SECOND, SECOND"),
            "there is room for",
        ),
    ),
)

EXERCISES = (_POD, _PLACED, BROKEN)
