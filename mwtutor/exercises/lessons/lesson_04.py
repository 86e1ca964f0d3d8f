"""Lesson 04: models in cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mwtutor.exercises.exercise import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.step_by_hand import STEP
from mwtutor.exercises.lessons.worker_values import each_worker

# 04-1: a model whose variables are mirrored

_BUILT = "net.built"
_KINDS = (
    "[type(v if callable(getattr(v, 'value', None)) else v.value).__name__ for v in net.variables]"
)
_SHAPES = "[tuple(v.shape) for v in net.variables]"
_HASH = "__import__('hashlib').sha256(b''.join(w.tobytes() for w in net.get_weights())).hexdigest()"
_MADE_UNDER = "type(net.distribute_strategy).__name__"

#: The classes of the strategy of a session, and of what there is outside any scope.
_JOINS = ("CollectiveAllReduceStrategy", "MultiWorkerMirroredStrategy")
_NONE = "_DefaultDistributionStrategy"

_WANTED = [(3, 4), (4,), (4, 1), (1,)]


def _check_model(work: Work) -> Verdict:
    built = each_worker(work, _BUILT)
    if not built:
        return not_yet("`net` is no model on any worker.")
    if len(built) < 2:
        return wrong("`net` is a model on one worker only.")
    if not all(flag is True for flag in built):
        return wrong(
            "`net` has no variables yet: they are made when the model first sees the shape of its"
            " input, in whatever scope that happens."
        )
    if any(shapes != _WANTED for shapes in each_worker(work, _SHAPES)):
        return wrong("The variables of `net` have not the shapes that were asked for.")
    if strange := [name for name in each_worker(work, _MADE_UNDER) if name not in (*_JOINS, _NONE)]:
        return wrong(f"`net` was made under {strange[0]}, which joins no workers.")
    if all(set(kinds) == {"MirroredVariable"} for kinds in each_worker(work, _KINDS)):
        if len(set(each_worker(work, _HASH))) > 1:
            return wrong("The variables are mirrored, but something has changed one worker's.")
        return right("Four variables, mirrored, and equal on both workers.")
    return wrong(_why_not_mirrored(work))


def _why_not_mirrored(work: Work) -> str:
    if all(name != _NONE for name in each_worker(work, _MADE_UNDER)):
        return (
            "`net` was made in the scope, but its variables are not mirrored: they were made later,"
            " outside of it."
        )
    if len(set(each_worker(work, _HASH))) == 1:
        return (
            "The values are equal now. But the variables are plain ones, and nothing would keep"
            " them equal in training."
        )
    return (
        "The variables are plain ones, and their values differ between the workers: no strategy"
        " knows of them."
    )


_NET = """\
tf.keras.Sequential([
    tf.keras.Input((3,)),
    tf.keras.layers.Dense(4, activation="relu"),
    tf.keras.layers.Dense(1),
])
"""
_LAZY_NET = _NET.replace("    tf.keras.Input((3,)),\n", "")


def _indented(source: str) -> str:
    return source.replace("\n", "\n    ").rstrip()


_MODEL = Exercise(
    id="04-1",
    title="mirrored, all of it",
    task=(
        "On both workers, define `net`: a Keras model for rows of three numbers, with a dense layer"
        " of four units, then one of one unit. Its four variables (two kernels, two biases) are to"
        " be made by then, and mirrored. (The workers have different random seeds.)"
    ),
    stub="%%mw\n# Define net. The first line may change, too.\n",
    check=_check_model,
    hints=(
        "Which of the two cell magics makes variables that the strategy knows?",
        "A layer makes its variables when it learns how wide its input is. When does it here?",
        "`tf.keras.Input((3,))` as the first of the layers tells it at once.",
    ),
    solution=f"%%mw_scope\nnet = {_NET}",
    reasoning=(
        "What counts is where the *variables* are made, not where the model is used. With an Input"
        " the layers are built at once, so they are built in the scope; without it they are"
        " built by the first call. Under the strategy every worker starts from the chief's values,"
        " whatever its own seed."
    ),
    sabotages=(
        Sabotage(
            "every worker runs the cell, so they have the same model",
            f"%%mw\nnet = {_NET}",
            "their values differ between the workers",
        ),
        Sabotage(
            "equal seeds do what the scope does",
            f"%%mw\ntf.keras.utils.set_random_seed(7)\nnet = {_NET}",
            "The values are equal now",
        ),
        Sabotage(
            "a model has its variables as soon as it is defined",
            f"%%mw_scope\nnet = {_LAZY_NET}",
            "has no variables yet",
        ),
        Sabotage(
            "the scope is needed for the definition only",
            f"%%mw\nwith strategy.scope():\n    net = {_indented(_LAZY_NET)}\n"
            "net(tf.ones((1, 3)))\n",
            "they were made later, outside",
        ),
    ),
    session=(_BUILT, _KINDS, _SHAPES, _HASH, _MADE_UNDER),
)

# 04-2: the misplaced variable

_COUNTED = "counted"
_VARIABLE = "type(rows_seen).__name__"
_COMBINED = "rows_seen.aggregation.name"


def _check_counter(work: Work) -> Verdict:
    counted = each_worker(work, _COUNTED)
    if len(counted) < 2 or not all(isinstance(one, float) for one in counted):
        return not_yet("Nothing was counted.")
    first, second = counted[:2]
    if first == second == 15.0:
        return right("Both workers know of all 15 rows.")
    kinds, combined = each_worker(work, _VARIABLE), each_worker(work, _COMBINED)
    seen = f"worker:0 has counted {first:g} rows, worker:1 {second:g}."
    if first != second:
        return _own_counts(seen, kinds, combined)
    if first == 7.5:
        return wrong(f"{seen} Those are not the rows of both, but the mean of the two.")
    return wrong(f"{seen} It should be 2 + 3 rows, three times.")


def _own_counts(seen: str, kinds: Sequence[Any], combined: Sequence[Any]) -> Verdict:
    if any("Mirrored" not in str(kind) for kind in kinds):
        if set(combined) == {"NONE"}:
            return not_yet(f"{seen} Each has its own.")
        return wrong(
            f"{seen} The variable says how values are to be combined, but it is a plain one: no"
            " strategy made it, so no strategy combines them."
        )
    if "ONLY_FIRST_REPLICA" in combined:
        return wrong(
            f"{seen} Only the first replica's value counts, on each worker the first of its own:"
            " that is for values that are equal everywhere."
        )
    return wrong(
        f"{seen} The variable is mirrored, but was not told what to do when the replicas add"
        " different values."
    )


def _counter(aggregation: str, magic: str = "%%mw_scope") -> str:
    how = f", aggregation=tf.VariableAggregation.{aggregation}" * bool(aggregation)
    return f"{magic}\nrows_seen = tf.Variable(0.0{how})\n"


_COUNTER = Exercise(
    id="04-2",
    title="the misplaced variable",
    task=(
        "`rows_seen` should count the rows of all replicas. The cell below it makes three steps,"
        " with two rows on `worker:0` and three on `worker:1` each time, so both workers should"
        " have 15 in the end. Repair the definition."
    ),
    stub=_counter("", "%%mw"),
    check=_check_counter,
    hints=(
        "Where does a variable have to be made, so that workers share what is added to it?",
        "Two replicas add different values to one variable. What should the strategy make of them?",
        "`inside` of section 4 is such a variable.",
    ),
    solution=_counter("SUM"),
    reasoning=(
        "In the scope the variable is mirrored: an update in one replica is an update everywhere."
        " As the replicas add different values, the strategy must be told how to combine them;"
        " rows are added up. (Trainable variables need no such word: their gradients are"
        " combined before the update. The metrics of Keras are added up like this counter.)"
    ),
    sabotages=(
        Sabotage(
            "being mirrored is all that a variable needs",
            _counter(""),
            "was not told what to do",
        ),
        Sabotage(
            "the aggregation alone makes the workers share it",
            _counter("SUM", "%%mw"),
            "it is a plain one",
        ),
        Sabotage(
            "what is combined is averaged, like gradients",
            _counter("MEAN"),
            "the mean of the two",
        ),
        Sabotage(
            "the first replica speaks for all",
            _counter("ONLY_FIRST_REPLICA"),
            "the first of its own",
        ),
    ),
    session=(_COUNTED, _VARIABLE, _COMBINED),
)

EXERCISES = (_MODEL, _COUNTER, STEP)
