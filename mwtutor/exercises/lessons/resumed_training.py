"""Exercise 08-2: restore a training, and go on with it."""

from __future__ import annotations

from typing import Any

from mwtutor.exercises.exercise import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import each_worker

_STEPS = "int(resumed.optimizer.iterations.numpy())"
_KINDS = (
    "sorted({type(v if callable(getattr(v, 'value', None)) else v.value).__name__"
    " for v in resumed.variables})"
)
_HASH = "fingerprint(resumed)"
_AWAY = "max(float(abs(a - b).max()) for a, b in zip(resumed.get_weights(), wanted))"

#: Whether it is the model that was never stopped, and the epochs that `fit` has begun with it.
_IS_STEADY = "resumed is steady"
_BEGUN = "[epoch for model, epoch in begun if model is resumed]"

#: Steps of an epoch, epochs that were done, and epochs that are wanted.
_EPOCH, _DONE, _ALL = 10, 3, 5


def _check_resumed(work: Work) -> Verdict:
    steps, away = each_worker(work, _STEPS), each_worker(work, _AWAY)
    if not any(isinstance(one, int) for one in steps):
        return not_yet("`resumed` is no model yet.")
    if len(steps) < 2 or len(away) < 2 or not all(isinstance(one, float) for one in away):
        return wrong("`resumed` is no model of `build()` on both workers.")
    if any(kinds != ["MirroredVariable"] for kinds in each_worker(work, _KINDS)):
        return wrong(
            "The variables of `resumed` are plain ones: the strategy has not made them, so what a"
            " worker does with them it does alone."
        )
    if len(set(each_worker(work, _HASH))) > 1:
        return wrong(
            "The weights differ between the workers, though the variables are mirrored: training"
            " does not make up for what only one of them was given."
        )
    if True in each_worker(work, _IS_STEADY):
        return wrong("`resumed` is `steady`, the model that was never stopped.")
    begun = each_worker(work, _BEGUN)
    return _judge_steps(steps[0], max(away), begun[0] if begun else [])


def _judge_steps(steps: int, away: float, begun: Any) -> Verdict:
    """Judge how many steps its optimizer knows, how far its weights are away, and its epochs."""
    if not begun:
        return wrong(
            f"Its optimizer knows {steps} steps, but `fit` has begun no epoch with `resumed` and"
            " `schedule`: it was not trained any further."
        )
    through = f"`fit` has gone through the epochs {', '.join(map(str, begun))}, counted from 0"
    wanted = list(range(_DONE, _ALL))
    if steps == _EPOCH * (_ALL - _DONE):
        return wrong("The optimizer knows of 20 steps only, and nothing of the first 30.")
    if steps == _EPOCH * (_DONE + _ALL):
        return wrong(f"The optimizer knows of 80 steps: eight epochs, not five. {through}.")
    if steps != _EPOCH * _ALL:
        return wrong(f"The optimizer knows of {steps} steps; five epochs have 50. {through}.")
    if begun != wanted:
        return wrong(
            f"There were 50 steps, but {through}. After three the next ones are 3 and 4: the"
            f" learning rates were others, and the weights are up to {away:.2g} away."
        )
    if away < 1e-4:
        return right("The same weights as if the training had never stopped, after 50 steps.")
    return wrong(
        f"There were 50 steps, the last of them in the right epochs, but the weights are up to"
        f" {away:.2g} away from `wanted`."
    )


_IN_SCOPE = """\
with strategy.scope():
    resumed, epochs = build(), tf.Variable(0)
"""
_RESTORED = """\
latest = tf.train.latest_checkpoint("stopped")
tf.train.Checkpoint(model=resumed, epochs_done=epochs).restore(latest)
"""
_FIT = "resumed.fit(dataset(), {which}, callbacks=[schedule], verbose=0)\n"
_GO_ON = _FIT.format(which="initial_epoch=int(epochs.numpy()), epochs=5")


def _resumed(*parts: str) -> str:
    return "%%mw\n" + "".join(parts)


RESUME = Exercise(
    id="08-2",
    title="go on as if nothing had happened",
    task=(
        "A training was planned for five epochs. It saved a checkpoint of its model and of"
        " `epochs_done` into `stopped` after three, and stopped. (The cell above has done that,"
        " and has then trained the same model on to five epochs; its last weights are"
        " `wanted`.) Define `resumed` on both workers: a model of `build()` that both train"
        " together, that goes on from the checkpoint, with `dataset()` and"
        " `callbacks=[schedule]`, and ends with the same weights. `schedule` halves the"
        " learning rate after each epoch."
    ),
    stub="%%mw\nresumed = None\n",
    check=_check_resumed,
    hints=(
        "Which things must be made in the scope, so that the workers train one model?",
        "All workers read what the chief has written.",
        "`fit` counts epochs from 0 unless it is told where to begin: `initial_epoch`. The"
        " checkpoint has the number, if you give `tf.train.Checkpoint` a variable for it.",
    ),
    solution=_resumed(_IN_SCOPE, _RESTORED, _GO_ON),
    reasoning=(
        "The model is made in the scope, so its variables are mirrored, and every worker restores"
        " the chief's checkpoint into them: weights, optimizer and the number of epochs. `epochs`"
        " is where `fit` ends, not how many it makes, and `initial_epoch` is where it begins; the"
        " learning rates are then those of the fourth and the fifth epoch."
    ),
    sabotages=(
        Sabotage(
            "`epochs` is what is still to be done, and fit knows where it is",
            _resumed(_IN_SCOPE, _RESTORED, _FIT.format(which="epochs=2")),
            "the learning rates",
        ),
        Sabotage(
            "a restored model knows how many epochs it has had",
            _resumed(_IN_SCOPE, _RESTORED, _FIT.format(which="epochs=5")),
            "eight epochs",
        ),
        Sabotage(
            "the weights are all that there is to restore",
            _resumed(
                "with strategy.scope():\n    resumed, other = build(), build()\n",
                'latest = tf.train.latest_checkpoint("stopped")\n',
                "tf.train.Checkpoint(model=other).restore(latest)\n",
                "resumed.set_weights(other.get_weights())\n",
                _FIT.format(which="initial_epoch=3, epochs=5"),
            ),
            "knows of 20 steps only",
        ),
        Sabotage(
            "what has the wanted weights has gone on",
            _resumed("resumed = steady\n"),
            "the model that was never stopped",
        ),
        Sabotage(
            "restoring makes a model one of the cluster's",
            _resumed("resumed, epochs = build(), tf.Variable(0)\n", _RESTORED, _GO_ON),
            "are plain ones",
        ),
        Sabotage(
            "each worker reads where it would write",
            _resumed(
                _IN_SCOPE,
                'with mwtutor.write_filepath("stopped") as directory:\n'
                "    latest = tf.train.latest_checkpoint(directory)\n"
                "    tf.train.Checkpoint(model=resumed).restore(latest)\n",
                _FIT.format(which="initial_epoch=3, epochs=5"),
            ),
            "only one of them was given",
        ),
    ),
    session=(_STEPS, _KINDS, _HASH, _AWAY, _IS_STEADY, _BEGUN),
)
