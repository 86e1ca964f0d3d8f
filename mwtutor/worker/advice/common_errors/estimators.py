"""Errors of Estimators in a cluster."""

from __future__ import annotations

import re
from pathlib import Path

from mwtutor.bridges.estimator.program import methods_called
from mwtutor.worker.advice.row import Row, main_file

_ESTIMATOR_ALONE = "Estimator.train trains in one process only."
_ONE_OR_TOGETHER = (
    "Launch it with 1 worker: @mw_launch 1 {program}."
    " To train on several workers, call train_and_evaluate, with --chief --ps 1 or with a"
    " MultiWorkerMirroredStrategy as RunConfig's train_distribute."
)


def _calls_train_alone(error: BaseException, match: re.Match[str]) -> bool:
    """Whether the program's source calls ``train``, and never ``train_and_evaluate``."""
    called = methods_called(Path(main_file()))
    return "train" in called and "train_and_evaluate" not in called


ROWS = (
    Row(
        "ValueError",
        r"Train has been called wrong configuration",
        _ESTIMATOR_ALONE,
        _ONE_OR_TOGETHER,
    ),
    Row(
        "ValueError",
        r'If "cluster" is set in TF_CONFIG, it must have one "chief" node',
        _ESTIMATOR_ALONE,
        _ONE_OR_TOGETHER,
        in_cell=f"{_ESTIMATOR_ALONE} A session's tasks are a cluster, so launch the Estimator as a"
        " program, @mw_launch 1 main.py.",
        applies=_calls_train_alone,
    ),
    Row(
        "ValueError",
        r'If "cluster" is set in TF_CONFIG, it must have one "chief" node',
        "An Estimator without a strategy needs a chief, and parameter servers that hold the model.",
        "Launch the program with --chief --ps 1, for tf.estimator.train_and_evaluate.",
        in_cell="A session trains with its strategy. Launch an Estimator as a program:"
        " @mw_launch 2 main.py --chief --ps 1.",
    ),
    Row(
        "ValueError",
        r"Only `STANDALONE_CLIENT` mode is supported when you call `[eE]stimator\.(?:train|eval)",
        "Under a strategy, only train_and_evaluate uses the cluster in TF_CONFIG.",
        "Call tf.estimator.train_and_evaluate.",
    ),
    Row(
        "ValueError",
        r"In-graph multi-worker training with `MirroredStrategy` is not supported",
        "MirroredStrategy is for one process, but this process belongs to a cluster.",
        "Use a MultiWorkerMirroredStrategy in RunConfig instead, or launch one worker.",
    ),
    Row(
        "ValueError",
        r"MultiWorkerMirroredStrategy cannot be deep copied in eager mode",
        "The strategy, or an object that contains it, such as an Estimator's RunConfig, was"
        " copied.",
        "With an Estimator, call tf.compat.v1.disable_eager_execution() right after the imports;"
        " without one, do not copy the strategy.",
    ),
)
