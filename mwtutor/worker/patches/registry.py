"""Which patches there are, in the order in which they are installed, and what each is for.

Nothing is imported for a program that does not import it itself: a patch is put in place when, and
if, the module that it changes is imported. What goes wrong without one, and where that was seen, is
in the module of that name. Of two patches of one function the later is called first.
"""

from __future__ import annotations

import os

from mwtutor import bridges, metrics
from mwtutor.bridges import estimator
from mwtutor.bridges.estimator import evaluator
from mwtutor.system.variables import asks_for_keras_2
from mwtutor.worker import children, horovod
from mwtutor.worker.patches import (
    communication,
    connecting,
    coordination,
    data_service,
    exchanges,
    figures,
    first_use,
    generated,
    keras_used,
    place,
    progress,
    serving,
    standstill,
    steps,
    strategies,
)


def install_everywhere() -> None:
    """Those that change how a program computes, also if no supervisor has started it."""
    if asks_for_keras_2(os.environ):
        estimator.choose_keras_2()  # a forked task imported TensorFlow before it was asked for
    bridges.enable()  # the Estimator on TensorFlow 2.16 and later; Keras 3 on several workers
    estimator.allow_one_worker()  # a cluster of one trains, where the Estimator stops
    evaluator.follow_training()  # an evaluator ends with the training
    communication.install()  # a strategy gets what --comm asks for; collectives built are told
    coordination.install()  # what becomes of closures is told
    first_use.install()  # the line that used TensorFlow first is known, for advice
    standstill.install()  # the release of a tf.data iterator does not stand still
    strategies.install()  # a second strategy in one process, and MirroredStrategy in a cluster


def install_in_task(log: str) -> None:
    """All of them, in a task that a supervisor hears.

    Args:
        log: the file that the task prints to; what is kept of it is beside that.
    """
    install_everywhere()
    estimator.report_training(lambda step, loss: metrics.report(step, loss=loss))
    estimator.report_left_out_evaluation(lambda: metrics.send("evaluation_left_out", wait=1.0))
    children.install()  # how processes ended that the program started
    keras_used.install()  # which Keras it really uses
    place.install()  # which place in the cluster it takes; that it listens there
    connecting.install()  # it connects once the others listen
    data_service.install()  # that no dispatcher of the tf.data service answers
    figures.install(log)  # plt.show() keeps figures
    generated.install(log)  # files of TensorFlow that are left of a task that is killed
    horovod.install()  # where the ranks of Horovod meet
    progress.install()  # where Model.fit stands
    serving.install()  # that it serves others
    steps.install()  # when the steps of its own loop were, and when it saved
    exchanges.install()  # every collective that is executed
