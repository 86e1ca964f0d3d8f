"""Lesson 13: Horovod."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

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

# 13-1: the line for several machines

_MACHINES, _GPUS = ("m1", "m2", "m3"), 2
_HOSTS = {"-H", "-host", "--host", "--hosts"}
_NUMBER = {"-np", "-n", "--np", "-c", "--num-proc"}


def _check_line(work: Work) -> Verdict:
    line = work.value("line")
    if line is None:
        return not_yet()
    if not isinstance(line, str):
        return wrong("`line` is no text.")
    try:
        words = shlex.split(line)
    except ValueError:
        return wrong("`line` has quotes that are not closed.")
    if not words or words[0] not in ("horovodrun", "mpirun"):
        return wrong("`line` begins neither with `horovodrun` nor with `mpirun`.")
    if words[-2:] != ["python", "train.py"]:
        return wrong("`line` does not end with what each process executes, `python train.py`.")
    return _judge_line(words[0], words[1:-2])


def _judge_line(launcher: str, words: Sequence[str]) -> Verdict:
    wanted = len(_MACHINES) * _GPUS
    number, hosts = _after(words, _NUMBER), _after(words, _HOSTS)
    if not hosts:
        return wrong("No machine is named: all processes would be on the one where it is typed.")
    slots = _slots(hosts)
    if sorted(slots) != sorted(_MACHINES):
        return wrong(f"The machines it names are {', '.join(slots)[:100]}.")
    room = sum(slots.values())
    if launcher == "mpirun" and not number:
        number = str(room)  # Open MPI fills the slots
    if number != str(wanted):
        return wrong(
            f"It starts {str(number)[:20] or 'no number of'} processes. There is to be one for"
            f" each GPU, and there are {_GPUS} in each of {len(_MACHINES)} machines."
        )
    if room < wanted:
        return wrong(
            f"The machines have room for {room} processes: a machine without a number has one slot."
        )
    if set(slots.values()) != {_GPUS}:
        return wrong(
            f"It makes room for {', '.join(f'{n} on {name}' for name, n in slots.items())}: some"
            " ranks would have a local rank without a GPU."
        )
    return right(f"{wanted} processes, {_GPUS} on each machine: local ranks 0 to {_GPUS - 1}.")


def _after(words: Sequence[str], options: set[str]) -> str:
    """The word after one of these options, or joined to it by an equals sign."""
    for word, following in zip(words, [*words[1:], ""], strict=True):
        name, equals, value = word.partition("=")
        if name in options:
            return value if equals else following
    return ""


def _slots(hosts: str) -> dict[str, int]:
    """How many processes each machine takes; one named twice takes as many more."""
    found: dict[str, int] = {}
    for host in hosts.split(","):
        name, _, slots = host.partition(":")
        found[name] = found.get(name, 0) + (int(slots) if slots.isdecimal() else 1)
    return found


_LINE = Exercise(
    id="13-1",
    title="the line for three machines",
    task=(
        "Three machines, `m1`, `m2` and `m3`, have two GPUs each. Write into `line`, as text, what"
        " you would type on one of them so that `python train.py` runs once for each GPU. Use"
        " `horovodrun` or `mpirun`, as you like."
    ),
    stub="line = None\n",
    check=_check_line,
    hints=(
        "How many processes are there in all? That number comes after `-np`.",
        "`-H` names the machines, with commas between them and no spaces.",
        "A machine has one slot unless its name is followed by `:` and a number.",
    ),
    solution='line = "horovodrun -np 6 -H m1:2,m2:2,m3:2 python train.py"\n',
    reasoning=(
        "`-np` counts all processes, and `-H` says how many of them each machine takes: its slots."
        " The slots of a machine are its local ranks, 0 and 1 here, by which a process takes its"
        " GPU. `mpirun` takes the same two options."
    ),
    sabotages=(
        Sabotage(
            "-np counts the processes of one machine",
            'line = "horovodrun -np 2 -H m1:2,m2:2,m3:2 python train.py"\n',
            "It starts 2 processes",
        ),
        Sabotage(
            "Horovod finds the machines by itself",
            'line = "horovodrun -np 6 python train.py"\n',
            "No machine is named",
        ),
        Sabotage(
            "a machine takes as many processes as it has GPUs",
            'line = "mpirun -np 6 -H m1,m2,m3 python train.py"\n',
            "room for 3 processes",
        ),
        Sabotage(
            "the number after a machine is that of all processes",
            'line = "mpirun -np 6 -H m1:6,m2:6,m3:6 python train.py"\n',
            "a local rank without a GPU",
        ),
    ),
)

# 13-2: a program for one process becomes one of Horovod

_RANKS, _BATCH, _RATE = 2, 16, 0.05

#: Weights that differ by less are equal: the order of additions is another.
_EQUAL = 1e-4

#: Arrays: a kernel and a bias; images and their labels.
Weights = tuple[Any, Any]
Rows = tuple[Any, Any]


def _check_ranks(work: Work) -> Verdict:
    run = ended(work, "ranks.py")
    if isinstance(run, Verdict):
        return run
    if not run.spec.request.is_horovod or run.spec.request.workers != _RANKS:
        return wrong("Launch it as the cell below yours does, with `--with horovod`.")
    if run.outcome is None or not run.outcome.ok:
        return wrong(f"The run has failed: {run.outcome.reason if run.outcome else ''}"[:300])
    try:
        data = np.load(work.folder / "digits.npz")
        rows = data["images"].astype("float64"), data["labels"]
        found = [_read(work.folder / f"ranks-{rank}.npz") for rank in range(_RANKS)]
    except (OSError, ValueError, KeyError):
        return wrong(
            "The run has succeeded, but not both ranks have written what the last lines of the"
            " program write."
        )
    saved = [
        rank for rank in range(_RANKS) if (work.folder / f"saved-by-{rank}.weights.h5").exists()
    ]
    if _away(found[0][1], found[1][1]) < _EQUAL and not _broadcasts(work.folder / "ranks.py"):
        return wrong(
            "Both ranks began with equal weights, and ranks.py broadcasts nothing: from other"
            " weights, rank 1 would not come to the model of rank 0."
        )
    return _judge_ranks(rows, found, saved)


def _broadcasts(program: Path) -> bool:
    """Whether it speaks of a broadcast at all: equal beginnings show nothing of one."""
    try:
        return "broadcast" in program.read_text().lower()
    except (OSError, ValueError):
        return True


def _read(path: Path) -> tuple[Weights, Weights]:
    """The weights at the end and at the beginning."""
    with np.load(path) as file:
        ends, begins = ((file[f"{name}_0"], file[f"{name}_1"]) for name in ("end", "begin"))
    return ends, begins


def _judge_ranks(
    rows: Rows, found: Sequence[tuple[Weights, Weights]], saved: Sequence[int]
) -> Verdict:
    (first, begin), (second, other) = found
    alone = [_trained([rows], [one], _RATE) for one in (begin, other)]
    if _away(first, alone[0]) < _EQUAL and _away(second, alone[1]) < _EQUAL:
        return not_yet("Each process has trained a model of its own, on all rows.")
    if _away(first, second) < _EQUAL:
        return _judge_steps(rows, (begin, other), first, saved)
    if _away(_apart(begin, other), _apart(first, second)) < _EQUAL:
        return wrong(
            "The ranks' weights differ, by exactly what they differed by at the beginning: all"
            " made the same steps from different places."
        )
    return wrong("The ranks' weights differ, and each made steps of its own.")


def _judge_steps(
    rows: Rows, begins: Sequence[Weights], end: Weights, saved: Sequence[int]
) -> Verdict:
    def is_end_of(read: Sequence[Rows], rate: float) -> bool:
        # The callback broadcasts after the first step, which is made of both ranks' gradients.
        both = (begins, [begins[0]] * _RANKS)
        return any(_away(end, _trained(read, each, rate)) < _EQUAL for each in both)

    shared = [(rows[0][rank::_RANKS], rows[1][rank::_RANKS]) for rank in range(_RANKS)]
    if is_end_of(shared, _RATE):
        return wrong(
            "The weights are equal, but the steps were as long as those of one process, though"
            " each is made from the rows of two."
        )
    if any(is_end_of([rows] * _RANKS, rate) for rate in (_RATE, _RANKS * _RATE)):
        return wrong("Both ranks have read the same rows: twice the work for one model.")
    if not is_end_of(shared, _RANKS * _RATE):
        return wrong("The weights are equal, but not those that the steps asked for lead to.")
    if list(saved) != [0]:
        names = " and ".join(f"rank {rank}" for rank in saved) or "nobody"
        return wrong(f"The weights are right, but the file was saved by {names}.")
    return right("Both ranks have trained the model of rank 0, together; and rank 0 saved it.")


def _trained(read: Sequence[Rows], begins: Sequence[Weights], rate: float) -> Weights:
    """The linear model of rank 0 after an epoch of steps with the average gradient of all ranks.

    Args:
        read: the rows that each rank reads.
        begins: the weights with which each makes its first step; then all have those of rank 0.
    """
    each = list(begins)
    for at in range(0, len(read[0][0]), _BATCH):
        gradients = [
            _gradient(images[at : at + _BATCH], labels[at : at + _BATCH], weights)
            for (images, labels), weights in zip(read, each, strict=True)
        ]
        kernel, bias = each[0]
        kernel = kernel - rate * sum(one[0] for one in gradients) / len(gradients)
        bias = bias - rate * sum(one[1] for one in gradients) / len(gradients)
        each = [(kernel, bias)] * len(each)
    return each[0]


def _gradient(images: Any, labels: Any, weights: Weights) -> Weights:
    """That of the mean cross-entropy."""
    logits = images @ weights[0] + weights[1]
    chances = np.exp(logits - logits.max(1, keepdims=True))
    error = chances / chances.sum(1, keepdims=True) - np.eye(10)[labels]
    return images.T @ error / len(images), error.mean(0)


def _apart(a: Weights, b: Weights) -> Weights:
    return a[0] - b[0], a[1] - b[1]


def _away(a: Weights, b: Weights) -> float:
    return max(float(np.abs(one).max()) for one in _apart(a, b))


_PROGRAM = """\
%%writefile ranks.py
import os
{imports}
import numpy as np
import tensorflow as tf
{init}
BATCH, RATE = 16, 0.05  # of one process


def save(model):  # into a file for each rank that saves, to show who did
    model.save_weights(f"saved-by-{{os.environ['HOROVOD_RANK']}}.weights.h5")


data = np.load("digits.npz")
images, labels = data["images"]{shard}, data["labels"]{shard}
model = tf.keras.Sequential([tf.keras.Input((784,)), tf.keras.layers.Dense(10)])
begin = model.get_weights()
optimizer = {optimizer}
model.compile(optimizer, tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
callbacks = [{callbacks}]
model.fit(images, labels, batch_size=BATCH, shuffle=False, callbacks=callbacks, verbose=0)
{save}

# Leave these two lines as they are: the check reads what they write.
names = ("end_0", "end_1", "begin_0", "begin_1")
np.savez(f"ranks-{{os.environ['HOROVOD_RANK']}}", **dict(zip(names, model.get_weights() + begin)))
"""
_IMPORT = "\nimport horovod.tensorflow.keras as hvd"
_SHARD = "[hvd.rank() :: hvd.size()]"
_SGD = "tf.keras.optimizers.SGD(RATE * hvd.size())"
_BROADCAST = "hvd.callbacks.BroadcastGlobalVariablesCallback(0)"
_ON_RANK_0 = "if hvd.rank() == 0:\n    save(model)"


def _program(
    imports: str = _IMPORT,
    init: str = "\nhvd.init()\n",
    shard: str = _SHARD,
    optimizer: str = f"hvd.DistributedOptimizer({_SGD})",
    callbacks: str = _BROADCAST,
    save: str = _ON_RANK_0,
) -> str:
    return _PROGRAM.format(
        imports=imports, init=init, shard=shard, optimizer=optimizer, callbacks=callbacks, save=save
    )


_REPAIR = Exercise(
    id="13-2",
    title="from one process to ranks",
    hard=True,
    task=(
        "This program is for one process. Make it one of Horovod: each rank reads every `size`-th"
        " row, beginning with the row of its own rank; the model with which rank 0 begins is"
        " trained; `BATCH` stays what it is, now for each rank; the learning rate grows with the"
        " number of ranks, as in section 2; and only rank 0 saves. The cell below yours launches it"
        " on two ranks; run it again after each change."
    ),
    stub=_program(
        imports="",
        init="",
        shard="",
        optimizer="tf.keras.optimizers.SGD(RATE)",
        callbacks="",
        save="save(model)",
    ),
    check=_check_ranks,
    hints=(
        "Go through the seven steps of section 2 one by one.",
        "`array[hvd.rank() :: hvd.size()]` is every `size`-th row.",
        "The optimizer has two changes: it is wrapped, and its rate is multiplied.",
        "Everybody has rank 0's weights after the first step if `fit` gets the callback"
        " `hvd.callbacks.BroadcastGlobalVariablesCallback(0)`, and before it with"
        " `hvd.broadcast_variables(model.variables, root_rank=0)`. The check takes either.",
    ),
    solution=_program(),
    reasoning=(
        "`hvd.init` comes before anything that depends on the rank. Each rank computes the gradient"
        " of its own 16 rows, and the average over two ranks is that of a batch of 32, so the rate"
        " grows with the number of ranks. The broadcast, here after the first step, makes rank 0's"
        " weights everybody's; from then on equal steps keep them equal, so one copy is enough."
    ),
    sabotages=(
        Sabotage(
            "equal steps make equal models",
            _program(callbacks=""),
            "by exactly what they differed by at the beginning",
        ),
        Sabotage(
            "equal seeds are as good as a broadcast",
            _program(callbacks="").replace(
                "model = tf.keras", "tf.keras.utils.set_random_seed(1)\nmodel = tf.keras"
            ),
            "broadcasts nothing",
        ),
        Sabotage(
            "hvd.init makes the processes train together",
            _program(optimizer=_SGD),
            "each made steps of its own",
        ),
        Sabotage(
            "Horovod shares out the rows",
            _program(shard=""),
            "have read the same rows",
        ),
        Sabotage(
            "the learning rate is the model's affair",
            _program(optimizer="hvd.DistributedOptimizer(tf.keras.optimizers.SGD(RATE))"),
            "as long as those of one process",
        ),
        Sabotage(
            "equal weights may be written by all",
            _program(save="save(model)"),
            "saved by rank 0 and rank 1",
        ),
    ),
)

EXERCISES = (_LINE, _REPAIR)
