"""Exercise 12-3: a Keras model that is trained as an Estimator was."""

from __future__ import annotations

from typing import Any

import numpy as np

from mwtutor.datasets import digits
from mwtutor.exercises.exercise import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import as_array, each_worker

_KERNEL, _STEPS, _TOGETHER, _LOGITS = "kernel_found", "steps_found", "is_mirrored", "takes_logits"

#: The Estimator's training: steps, rows of both replicas in one, learning rate.
_WANTED = 20, 64, 0.3


def _check(work: Work) -> Verdict:
    kernels = [as_array(one) for one in each_worker(work, _KERNEL)]
    if len(kernels) < 2 or any(one is None or one.shape != (196, 10) for one in kernels):
        return not_yet("`train_keras` has not returned a model with a layer of 10 on both workers.")
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
    if each_worker(work, _LOGITS)[0] is not True:
        return wrong(
            "The loss takes what the layer gives for probabilities; they are logits, which may be"
            " negative and do not add up to 1."
        )
    return _judge(first, steps)


def _judge(kernel: Any, steps: int) -> Verdict:
    wanted_steps, batch, rate = _WANTED
    if steps > wanted_steps:
        return wrong(
            f"{steps} steps: the Estimator has made {wanted_steps} of these rows. Its batch is that"
            " of one replica."
        )
    if steps < wanted_steps:
        return wrong(f"{steps} steps, so not all rows were trained on: {wanted_steps} were wanted.")
    if np.allclose(kernel, _trained(steps, batch, rate), atol=1e-5):
        return right("20 steps on two workers, and the weights that the Estimator had.")
    for factor, words in ((2.0, "twice"), (0.5, "half")):
        if np.allclose(kernel, _trained(steps, batch, rate * factor), atol=1e-4):
            return wrong(
                f"The weights are those of {words} the learning rate. Keras takes the mean over the"
                " rows of all workers by itself: nothing is to be made up for."
            )
    return wrong("The number of steps is right, but the weights are not those of the Estimator.")


def _trained(steps: int, batch: int, rate: float) -> Any:
    images, labels = digits.load_split("train")
    pixels = images[:, ::2, ::2, 0].reshape(-1, 196) / 255.0
    w, b = np.zeros((196, 10)), np.zeros(10)
    for step in range(steps):
        rows = slice(step * batch, (step + 1) * batch)
        x, y = pixels[rows], labels[rows]
        logits = x @ w + b
        p = np.exp(logits - logits.max(1, keepdims=True))
        error = p / p.sum(1, keepdims=True) - np.eye(10)[y]
        w, b = w - rate * x.T @ error / len(y), b - rate * error.mean(0)
    return w


_MODEL = """\
    model = tf.keras.Sequential(
        [tf.keras.Input([196]), tf.keras.layers.Dense(10, kernel_initializer="zeros")]
    )
    model.compile(
        tf.keras.optimizers.SGD({rate}),
        tf.keras.losses.SparseCategoricalCrossentropy({logits}),
    )
"""


def _train_keras(
    rate: str = "0.3",
    logits: str = "from_logits=True",
    rows: str = "rows.batch(64)",
    scope: bool = True,
) -> str:
    made = _MODEL.format(rate=rate, logits=logits)
    if scope:
        made = "    with strategy.scope():\n" + made.replace("    ", "        ", 1).replace(
            "\n    ", "\n        "
        )
    return (
        f"%%mw\ndef train_keras(rows):\n{made.rstrip()}\n"
        f"    model.fit({rows}, verbose=0)\n    return model\n"
    )


MOVE = Exercise(
    id="12-3",
    title="from Estimator to Keras",
    hard=True,
    task=(
        "Write `train_keras(rows)`, which both workers call: it makes a Keras model, trains it on"
        " both together, and returns it. `rows` are the first 1280 rows of the training data,"
        " pixels and label, one by one and in order. The weights are to be those that `main.py`"
        " had after 20 steps: a layer of 10 that starts from zeros and gives logits,"
        " `SparseCategoricalCrossentropy` as the loss, `SGD` with a learning rate of 0.3, and 32"
        " rows for each replica in a step."
    ),
    stub="%%mw\ndef train_keras(rows):\n    return None\n",
    check=_check,
    hints=(
        "How many rows does one step of both workers take? And what does Keras call a batch?",
        "Who shares out the rows under Keras, and who divides by the number of replicas?",
        "Make and compile the model in `strategy.scope()`; one epoch of `fit` is enough.",
    ),
    solution=_train_keras(),
    reasoning=(
        "The batch that `fit` gets is the global one, 64, and Keras shares out rows and divides by"
        " the number of replicas itself. So the learning rate stays what it was, and nothing is"
        " sharded by hand. The model must be made in the scope; made outside, with Keras 2 each"
        " worker would train alone on all the rows, with the same numbers and twice the work."
    ),
    sabotages=(
        Sabotage(
            "a batch is that of a replica",
            _train_keras(rows="rows.batch(32)"),
            "Its batch is that",
        ),
        Sabotage(
            "each worker's gradient counts half, so I double the learning rate",
            _train_keras(rate="0.6"),
            "twice the learning rate",
        ),
        Sabotage(
            "each worker shards its rows",
            _train_keras(rows="rows.shard(2, task_index).batch(64)"),
            "not all rows were trained on",
        ),
        Sabotage(
            "the loss knows what the model gives",
            _train_keras(logits=""),
            "for probabilities",
        ),
        Sabotage(
            "equal weights prove that they have trained together",
            _train_keras(scope=False),
            "Equal weights prove nothing",
        ),
    ),
    session=(_KERNEL, _STEPS, _TOGETHER, _LOGITS),
)
