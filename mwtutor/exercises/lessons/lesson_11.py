"""The exercises of lesson 11: Parameter servers."""

from __future__ import annotations

from collections import Counter
from typing import Any

from mwtutor.exercises.exercise import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong

# 11-1: a partitioner

_CUT = "cut_into"

#: What the partitioner has to make: the number of parts along each axis.
_WANTED = {"table": [2, 1], "kernel": [1, 1], "bias": [1]}


def _check_parts(work: Work) -> Verdict:
    found = _of_chief(work, _CUT)
    if not _is_cut(found):
        return not_yet("There is no partitioner: every variable stays whole.")
    parts = {name: _product(found[name]) for name in _WANTED}
    if found == _WANTED:
        return right("The table is in two parts, one for each server; kernel and bias are whole.")
    if parts["bias"] > 1:
        return wrong(f"Even the bias, of 128 bytes, is in {parts['bias']} parts.")
    if parts["table"] > 2:
        return wrong(f"The table is in {parts['table']} parts, and there are two servers.")
    if parts["table"] < 2:
        return wrong("The table is whole.")
    if parts["kernel"] > 1:
        return wrong(
            "The table is in two parts, but so is the kernel, of 100,352 bytes: each read of it has"
            " to ask two servers."
        )
    return wrong("The table is not cut along its rows.")


def _of_chief(work: Work, name: str) -> Any:
    return next(iter(work.session[name].values()), None)


def _is_cut(found: Any) -> bool:
    return isinstance(found, dict) and all(
        isinstance(found.get(name), list)
        and len(found[name]) == len(axes)
        and all(type(count) is int and count > 0 for count in found[name])
        for name, axes in _WANTED.items()
    )


def _product(counts: list[int]) -> int:
    product = 1
    for count in counts:
        product *= count
    return product


def _partitioner(made: str) -> str:
    return f"""\
%%mw
partitioners = tf.distribute.experimental.partitioners
partitioner = {made}
"""


_PARTS = Exercise(
    id="11-1",
    title="cut what is large",
    task=(
        "A model has a table of 10,000 rows of 8 numbers (320,000 bytes), a kernel of 784 rows of"
        " 32 (100,352 bytes), and a bias of 32 (128 bytes). There are two parameter servers. Make a"
        " `partitioner` that cuts the table along its rows into one part for each server, and"
        " leaves kernel and bias whole. The next cell asks it into how many parts it would cut each"
        " of them."
    ),
    stub=_partitioner("None"),
    check=_check_parts,
    hints=(
        "What tells the table from the other two?",
        "Three partitioners are ready-made. One takes a number of parts, one a largest size of a"
        " part, and one a smallest.",
        "A part of the table has 160,000 bytes. A smallest size between those of kernel and part"
        " leaves the kernel whole. How many parts are made at most, if you do not say?",
    ),
    solution=_partitioner(
        "partitioners.MinSizePartitioner(min_shard_bytes=128 << 10, max_shards=2)"
    ),
    reasoning=(
        "`MinSizePartitioner` makes as many parts as it can with `min_shard_bytes` in each, but at"
        " most `max_shards`, which is 1 unless you say otherwise. 320,000 bytes have room for two"
        " parts of 128 KiB, the 100,352 of the kernel not even for one. Small variables stay whole:"
        " to read one in parts is one more question to a server."
    ),
    sabotages=(
        Sabotage(
            "two servers, so everything in two parts",
            _partitioner("partitioners.FixedShardsPartitioner(2)"),
            "Even the bias",
        ),
        Sabotage(
            "the more parts, the better they are spread",
            _partitioner("partitioners.MaxSizePartitioner(max_shard_bytes=64 << 10)"),
            "there are two servers",
        ),
        Sabotage(
            "a smallest size is enough",
            _partitioner("partitioners.MinSizePartitioner(min_shard_bytes=128 << 10)"),
            "The table is whole",
        ),
        Sabotage(
            "the smallest size of section 2 is good here as well",
            _partitioner("partitioners.MinSizePartitioner(min_shard_bytes=64 << 10, max_shards=2)"),
            "but so is the kernel",
        ),
    ),
    session=(_CUT,),
)

# 11-2: each row once

ROWS, BATCH = 96, 4
STEPS = ROWS // BATCH

_READ = "epoch_read"

#: How often the steps that ran on the workers have read each row, as these have counted it.
_RAN = "rows_ran"


def _check_rows(work: Work) -> Verdict:
    steps = _steps(_of_chief(work, _READ))
    if not steps:
        return not_yet("No step has read anything.")
    if any(len(rows) != BATCH for _, rows in steps):
        return wrong(f"A step took something else than {BATCH} rows.")
    counts = Counter(row for _, rows in steps for row in rows)
    if set(counts) - set(range(ROWS)):
        return wrong(f"What was read are not the rows 0 to {ROWS - 1}.")
    ran = _of_chief(work, _RAN)
    if not isinstance(ran, list) or not all(isinstance(one, int) for one in ran):
        return not_yet("Nothing was counted on the workers: run the cell below yours again.")
    if ran != [counts[row] for row in range(ROWS)]:
        return wrong(
            f"You return {len(steps)} steps. By the workers' own count their steps have read"
            f" {sum(ran)} rows, and not those: return what `schedule` returns of the steps that"
            " ran."
        )
    never = ROWS - len(counts)
    if len({worker for worker, _ in steps}) < 2:
        return wrong("One worker has done all the steps.")
    if len(steps) < STEPS:
        return wrong(
            f"There were {len(steps)} steps, and {never} rows were never read: `schedule` is called"
            " once for each step, not once for each worker's."
        )
    if len(steps) > STEPS:
        return wrong(f"There were {len(steps)} steps, and an epoch has {STEPS}.")
    if not never:
        return right(f"Both workers have worked, and each of the {ROWS} rows was read once.")
    return _of_data_sets(steps, never)


def _of_data_sets(steps: list[tuple[int, list[int]]], never: int) -> Verdict:
    """What it is that workers go through, which have a data set each."""
    by_worker: dict[int, set[int]] = {}
    for worker, rows in steps:
        by_worker.setdefault(worker, set()).update(rows)
    counts = [sum(who == worker for who, _ in steps) for worker in sorted(by_worker)]
    if not set.intersection(*by_worker.values()):
        return wrong(
            "No row was read by both workers. But steps go to whoever is free, here"
            f" {counts[0]} and {counts[1]}: one has read rows of its half twice, and of the other's"
            f" half {never} were never read."
        )
    first = [next(rows for who, rows in steps if who == worker) for worker in sorted(by_worker)]
    if first[0] == first[1] == list(range(BATCH)):
        return not_yet(
            "Both workers began with the rows 0 to 3: some rows were read twice, and others never."
        )
    return wrong(
        f"The workers read the rows in different orders; still {never} rows were never read, and"
        " others twice: neither knows what the other has read."
    )


def _steps(value: Any) -> list[tuple[int, list[int]]]:
    if not isinstance(value, list):
        return []
    for step in value:
        if not isinstance(step, tuple) or len(step) != 2 or not isinstance(step[1], list):
            return []
        if not all(type(number) is int for number in (step[0], *step[1])):
            return []
    return value


def _epoch(made: str, scheduled: str) -> str:
    return f'''\
%%mw
def schedule_epoch():
    """Schedule the steps of an epoch, and return what `schedule` returns of each."""
{made}    return [{scheduled}]
'''


def _from_data(data: str, steps: str = str(STEPS)) -> str:
    made = f"""\
    def data():
        rows = tf.data.Dataset.range({ROWS})
        return {data}

    iterator = iter(coordinator.create_per_worker_dataset(data))
"""
    return _epoch(
        made, f"coordinator.schedule(next_step, args=(iterator,)) for _ in range({steps})"
    )


_ONCE = Exercise(
    id="11-2",
    title="each row once",
    task=(
        f"An epoch has {ROWS} rows, {STEPS} steps of {BATCH} rows. Change `schedule_epoch` so that"
        " each row is read exactly once in it, however the steps are shared between the workers,"
        " which both do some. The cell under *Exercises* has two kinds of steps: `next_step` takes"
        " the next rows of an iterator, and `step_on` the rows that it is given."
    ),
    stub=_from_data(f"rows.batch({BATCH}).repeat()"),
    check=_check_rows,
    hints=(
        "How many data sets are there, and what is in each?",
        "Nobody knows beforehand how many steps each worker will do. Who knows which rows have been"
        " given out already?",
        "The chief can say with each step which rows are meant: an argument of `schedule` that is"
        " no iterator is the same for whoever gets the step.",
    ),
    solution=_epoch(
        "",
        f"coordinator.schedule(step_on, args=(tf.range(first, first + {BATCH}),))"
        f" for first in range(0, {ROWS}, {BATCH})",
    ),
    reasoning=(
        "A worker's data set cannot know what the others read, and how many steps a worker does is"
        " decided while they run. The chief schedules each step once, so it can say which rows the"
        " step is about; a step that is done again, because its worker was lost, takes the same"
        " rows again. In a real program you would pass the numbers of rows or the names of files,"
        " and let the worker read them. For training, it is usual to shuffle each worker's data"
        " differently instead, and not to mind. For an evaluation it matters."
    ),
    sabotages=(
        Sabotage(
            "each worker takes its half",
            _from_data(f"rows.shard(num_workers, this_worker()).batch({BATCH}).repeat()"),
            "rows of its half twice",
        ),
        Sabotage(
            "shuffled differently, they do not get in each other's way",
            _from_data(f"rows.shuffle({ROWS}).batch({BATCH}).repeat()"),
            "neither knows what the other has read",
        ),
        Sabotage(
            "what is returned is what was done",
            _epoch(
                "",
                "(number % 2, list(range(4 * number, 4 * number + 4)))"
                f" for number in range({STEPS})",
            ),
            "By the workers' own count",
        ),
        Sabotage(
            "each worker does what is scheduled",
            _from_data(f"rows.batch({BATCH}).repeat()", f"{STEPS} // num_workers"),
            "not once for each worker's",
        ),
    ),
    session=(_READ, _RAN),
)

# 11-3: a bound on the staleness

TRAINED, BOUND = 20, 4

_TRAINED = "trained"


def _check_bound(work: Work) -> Verdict:
    found = _of_chief(work, _TRAINED)
    if not isinstance(found, dict) or not _is_triples(found.get("steps")):
        return not_yet("Nothing was trained.")
    steps, versions = found["steps"], found.get("versions")
    missed = [made - 1 - read for _, read, made in steps]
    if not steps or versions is None:
        return not_yet("Nothing was trained.")
    if len(steps) != TRAINED or versions != TRAINED:
        return wrong(
            f"You return {len(steps)} steps, and {versions} updates were applied: a step that is"
            " left out of the list has changed the variables all the same."
        )
    if len({worker for worker, *_ in steps}) < 2:
        return wrong("One worker has done all the steps.")
    if max(missed) == 0:
        return wrong(
            "No gradient missed an update, for no two steps ever overlapped: one of the workers was"
            " always idle."
        )
    if max(missed) > 9:
        return not_yet(f"A gradient missed more than twice the {BOUND} updates that are allowed.")
    if max(missed) > BOUND:
        return wrong(f"A gradient missed {max(missed)} updates, and {BOUND} are allowed.")
    if found.get("of 7") != [7, 7]:
        made, applied = _pair(found.get("of 7"))
        return wrong(
            f"`train_bounded({TRAINED})` is right. `train_bounded(7)` returns {made} steps, and"
            f" {applied} updates were applied."
        )
    return right(
        f"{TRAINED} steps on both workers at the same time, and no gradient missed more than"
        f" {max(missed)} updates."
    )


def _pair(value: Any) -> tuple[Any, Any]:
    return (value[0], value[1]) if isinstance(value, list) and len(value) == 2 else ("no", "no")


def _is_triples(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, list) and len(one) == 3 and all(type(number) is int for number in one)
        for one in value
    )


def _bounded(inside: str, returned: str = "remote") -> str:
    return f'''\
%%mw
def train_bounded(steps):
    """Do so many steps, and return what `schedule` returns of each."""
    remote = []
    for number in range(steps):
        remote.append(coordinator.schedule(step))
{inside}    coordinator.join()
    return {returned}
'''


_BOUNDED = Exercise(
    id="11-3",
    title="not too stale",
    hard=True,
    task=(
        f"`train_bounded({TRAINED})` does {TRAINED} steps, of which those of the slow worker miss"
        f" many updates. Change it so that no gradient misses more than {BOUND} of them, while both"
        f" workers still work at the same time. All steps that it is asked for are to be done, and"
        " returned."
    ),
    stub=_bounded(""),
    check=_check_bound,
    hints=(
        "While a step is computed, how many others can be done at most? Those in the queue.",
        "After a `join` nothing is in the queue, and nobody computes.",
        f"If {BOUND} others may be done while one is computed, how many may be scheduled between"
        " two joins?",
    ),
    solution=_bounded(
        f"        if number % {BOUND + 1} == {BOUND}:\n            coordinator.join()\n"
    ),
    reasoning=(
        f"Of the steps between two joins, each can miss the updates of the others, and no more: of"
        f" {BOUND + 1} steps one misses {BOUND} at most. Within such a group both workers work; at"
        " its end the faster one waits, which is the price. This is the middle between asynchronous"
        " and synchronous training, and the bound is where you choose your place."
    ),
    sabotages=(
        Sabotage(
            "only waiting for each step keeps gradients fresh",
            _bounded("        coordinator.join()\n"),
            "one of the workers was always idle",
        ),
        Sabotage(
            "a join now and then",
            _bounded("        if number % 10 == 9:\n            coordinator.join()\n"),
            "are allowed.",
        ),
        Sabotage(
            "what is too old is left out",
            _bounded(
                "",
                f"[one for one in remote if one.fetch()[2] - 1 - one.fetch()[1] <= {BOUND}]",
            ),
            "has changed the variables all the same",
        ),
    ),
    session=(_TRAINED,),
)

EXERCISES = (_PARTS, _ONCE, _BOUNDED)
