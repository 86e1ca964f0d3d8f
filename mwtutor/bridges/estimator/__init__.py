"""Estimator on every TensorFlow: 2.16 removed ``tf.estimator``; this package restores it.

The Estimator itself is the published ``tensorflow-estimator`` 2.15.0. This package supplies the
names that the Estimator needs and that TensorFlow removed (``supplied.py`` lists each one with its
reason), so a program written for TensorFlow 2.15 runs unchanged. On 2.15, nothing is changed.

In a notebook kernel or in your own script, one call enables it::

    from mwtutor.bridges import estimator
    estimator.enable()

Programs started by mwtutor need no call: mwtutor has called ``mwtutor.bridges.enable()``.
"""

from __future__ import annotations

from mwtutor.bridges.estimator.alone import allow_one_worker
from mwtutor.bridges.estimator.attach import enable, install_lazily
from mwtutor.bridges.estimator.evaluator import report_left_out_evaluation
from mwtutor.bridges.estimator.hooks import add_train_hook, report_training
from mwtutor.bridges.estimator.legacy_keras import choose_keras_2
from mwtutor.bridges.estimator.program import program_uses_estimator

__all__ = [
    "add_train_hook",
    "allow_one_worker",
    "choose_keras_2",
    "enable",
    "install_lazily",
    "program_uses_estimator",
    "report_left_out_evaluation",
    "report_training",
]
