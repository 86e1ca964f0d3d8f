"""Exercise 12-3: a Keras model that is trained as an old program of an Estimator was."""

from __future__ import annotations

from typing import Any

import numpy as np

from mwtutor.datasets import digits
from mwtutor.exercises.exercise import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import as_array, each_worker

_KERNEL, _STEPS, _TOGETHER, _LOGITS = "kernel_found", "steps_found", "is_mirrored", "takes_logits"

#: The kernel that the old program's Estimator has after training, on `worker:0`.
_OLD = "old_kernel"

#: The kernel after a training on rows that are not the same on both workers.
_OF_OWN = "kernel_of_own_rows"

#: The old program's training: steps, and rows of both replicas in one.
_WANTED_STEPS, _BATCH = 20, 64


def _check(work: Work) -> Verdict:
    kernels = [as_array(one) for one in each_worker(work, _KERNEL)]
    wanted = as_array(next(iter(each_worker(work, _OLD)), None))
    if len(kernels) < 2 or any(one is None or one.shape != (196, 10) for one in kernels):
        return not_yet("`train_keras` has not returned a model with a layer of 10 on both workers.")
    if wanted is None or wanted.shape != (196, 10):
        return not_yet("The cell below yours, which trains the old program, has not run.")
    first, second = kernels
    if each_worker(work, _TOGETHER) != [True, True]:
        return wrong(
            "The strategy has not made the model: each worker has trained one of its own, on all"
            " the rows. Equal weights prove nothing here."
        )
    if not np.array_equal(first, second):
        return wrong("The weights of the workers differ.")
    steps = each_worker(work, _STEPS)[0]
    if not isinstance(steps, int) or not steps:
        return wrong("The model has made no step.")
    if steps > _WANTED_STEPS:
        return wrong(
            f"{steps} steps: the Estimator has made {_WANTED_STEPS} of these rows. Its batch is"
            " that of one replica."
        )
    if steps < _WANTED_STEPS:
        return wrong(
            f"{steps} steps, so not all rows were trained on: {_WANTED_STEPS} were wanted."
        )
    if np.allclose(first, wanted, atol=1e-5):
        own = [as_array(one) for one in each_worker(work, _OF_OWN)]
        if len(own) < 2 or any(one is None or one.shape != (196, 10) for one in own):
            return wrong("With fewer rows, 128 of them, it returns no model on both workers.")
        if not np.allclose(own[0], own[1], atol=1e-6):
            return wrong(
                "The weights are those of the Estimator. But where the workers are given different"
                " rows, they end with different weights: nothing goes from one to the other."
            )
        return right("20 steps on two workers, and the weights that the Estimator had.")
    return wrong(_guess(first, takes_logits=each_worker(work, _LOGITS)[0] is True))


def _guess(kernel: Any, takes_logits: bool) -> str:
    """What was done instead, as the weights tell."""
    for words, other in _OTHERS:
        if np.allclose(kernel, _trained(**other), atol=1e-5):
            return words
    if not takes_logits:
        return (
            "The loss takes what it is given for probabilities. If your layer gives logits, these"
            " may be negative, and do not add up to 1."
        )
    return "The number of steps is right, but the weights are not those of the Estimator."


#: Trainings that are not the old program's, and what to say of each.
_OTHERS: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "The weights are those of twice the penalty: `tf.nn.l2_loss` is half of a sum of squares,"
        " and the regularizer of Keras takes the whole sum.",
        {"penalty": 0.2},
    ),
    (
        "The weights are those of half the penalty. Keras counts a penalty once in a step, however"
        " many replicas there are.",
        {"penalty": 0.05},
    ),
    ("The weights are those of no penalty.", {"penalty": 0.0}),
    ("The weights are those of a learning rate that stays 0.3.", {"decay": 1.0}),
    ("The learning rate falls in each step. The old one falls in stairs.", {"stairs": False}),
    (
        "The weights are those of twice the learning rate. Keras takes the mean over the rows of"
        " all workers by itself: nothing is to be made up for.",
        {"rate": 0.6},
    ),
)


def _trained(
    penalty: float = 0.1, decay: float = 0.5, stairs: bool = True, rate: float = 0.3
) -> Any:
    """The kernel that the old program comes to, in NumPy and in one process."""
    images, labels = digits.load_split("train")
    pixels = images[:, ::2, ::2, 0].reshape(-1, 196) / 255.0
    w, b = np.zeros((196, 10)), np.zeros(10)
    for step in range(_WANTED_STEPS):
        rows = slice(step * _BATCH, (step + 1) * _BATCH)
        x, y = pixels[rows], labels[rows]
        logits = x @ w + b
        p = np.exp(logits - logits.max(1, keepdims=True))
        error = p / p.sum(1, keepdims=True) - np.eye(10)[y]
        now = rate * decay ** (step // 10 if stairs else step / 10)
        w, b = w - now * (x.T @ error / len(y) + penalty * w), b - now * error.mean(0)
    return w


_SOLUTION = """\
%%mw
def train_keras(rows):
    rate = tf.keras.optimizers.schedules.ExponentialDecay(0.3, 10, 0.5, staircase=True)
    penalty = tf.keras.regularizers.L2(0.05)
    with strategy.scope():
        layer = tf.keras.layers.Dense(10, kernel_initializer="zeros", kernel_regularizer=penalty)
        model = tf.keras.Sequential([tf.keras.Input([196]), layer])
        cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(tf.keras.optimizers.SGD(rate), cross_entropy)
    model.fit(rows.batch(64), verbose=0)
    return model
"""


def _instead(old: str, new: str) -> str:
    """The solution with a fault."""
    assert old in _SOLUTION, old
    return _SOLUTION.replace(old, new)


MOVE = Exercise(
    id="12-3",
    title="from Estimator to Keras",
    hard=True,
    task=(
        "An old program has trained `old_model_fn`, of the cell above yours, for 20 steps on two"
        ' workers, with `params={"batch": 32}` and batches of 32 rows for each replica. Write'
        " `train_keras(rows)`, which both workers call: it makes a Keras model, trains it on both"
        " together in one epoch, and returns it. `rows` are the first 1280 rows of the training"
        " data, 196 pixels and label, one by one and in order. The weights are to be those of the"
        " old program."
    ),
    stub="%%mw\ndef train_keras(rows):\n    return None\n",
    check=_check,
    hints=(
        "How many rows does one step of both workers take? And what does Keras call a batch?",
        "`old_model_fn` has a penalty and a learning rate that falls. See `kernel_regularizer` and"
        " `tf.keras.optimizers.schedules`.",
        "What is `tf.nn.l2_loss` of one weight that is 2? And what does `L2(1.0)` make of it?",
    ),
    solution=_SOLUTION,
    reasoning=(
        "The batch that `fit` gets is the global one, 64, and Keras shares out rows and divides by"
        " the number of replicas itself. So the learning rate stays what it was, and nothing is"
        " sharded by hand. `l2_loss` is half the sum of the squares, so Keras' factor is half of"
        " the old one; Keras counts it once in a step, as the Estimator's optimizer did when it"
        " divided the loss of each replica. The model must be made in the scope; made outside, with"
        " Keras 2 each worker would train alone on all the rows, with the same numbers and twice"
        " the work."
    ),
    sabotages=(
        Sabotage(
            "a batch is that of a replica", _instead("batch(64)", "batch(32)"), "Its batch is that"
        ),
        Sabotage(
            "each worker's gradient counts half, so I double the learning rate",
            _instead("Decay(0.3", "Decay(0.6"),
            "twice the learning rate",
        ),
        Sabotage(
            "each worker shards its rows",
            _instead("rows.batch", "rows.shard(2, task_index).batch"),
            "not all rows were trained on",
        ),
        Sabotage(
            "the loss knows what the model gives",
            _instead("from_logits=True", ""),
            "for probabilities",
        ),
        Sabotage(
            "equal weights prove that they have trained together",
            _instead("with strategy.scope()", "if True"),
            "Equal weights prove nothing",
        ),
        Sabotage("a penalty is a penalty", _instead("L2(0.05)", "L2(0.1)"), "twice the penalty"),
        Sabotage(
            "each replica adds its penalty, so each takes half",
            _instead("L2(0.05)", "L2(0.025)"),
            "half the penalty",
        ),
        Sabotage("a decay is a decay", _instead(", staircase=True", ""), "falls in stairs"),
    ),
    session=(_KERNEL, _STEPS, _TOGETHER, _LOGITS, _OLD, _OF_OWN),
)
