"""All patches, in the order in which they are installed, with the purpose of each.

A patch is installed when, and only if, the program imports the module that it changes; patches
import nothing themselves. The module of each patch says what goes wrong without the patch, and
where that was observed. Of two patches of one function, the later one is called first.
"""

from __future__ import annotations

import os

from mwtutor import bridges, metrics
from mwtutor.bridges import estimator
from mwtutor.bridges.estimator import evaluator
from mwtutor.system.variables import asks_for_keras_2
from mwtutor.worker import children, horovod, jax
from mwtutor.worker.patches import (
    another_strategy,
    communication,
    connecting,
    coordination,
    data_service,
    exchanges,
    figures,
    first_use,
    generated,
    horovod_exchanges,
    keras_used,
    own_devices,
    place,
    progress,
    saving,
    serving,
    standstill,
    steps,
)


def install_everywhere() -> None:
    """The patches that change how a program computes; also used without a supervisor."""
    if asks_for_keras_2(os.environ):
        estimator.choose_keras_2()  # a forked task had already imported TensorFlow
    bridges.enable()  # the Estimator on TensorFlow 2.16 and later; Keras 3 on several workers
    estimator.allow_one_worker()  # lets a cluster of one train, which the Estimator refuses
    evaluator.follow_training()  # an evaluator ends when the training ends
    communication.install()  # applies --comm to a strategy; reports collectives
    coordination.install()  # reports what happens to closures
    first_use.install()  # records which line used TensorFlow first, for advice
    standstill.install()  # keeps the release of a tf.data iterator from stalling
    another_strategy.install()  # a second strategy in one process
    own_devices.install()  # MirroredStrategy in a cluster


def install_in_task(log: str) -> None:
    """All patches, for a task with a supervisor.

    Args:
        log: the task's log file; files that are kept are next to it.
    """
    install_everywhere()
    estimator.report_training(lambda step, loss: metrics.report(step, loss=loss))
    estimator.report_left_out_evaluation(lambda: metrics.send("evaluation_left_out", wait=1.0))
    children.install()  # reports how the program's child processes ended
    keras_used.install()  # reports which Keras the program actually uses
    place.install()  # reports the task's place in the cluster, and whether it listens there
    connecting.install()  # connects once the others listen
    data_service.install()  # reports that no dispatcher of the tf.data service answers
    figures.install(log)  # plt.show() keeps figures
    generated.install(log)  # records files that TensorFlow leaves if a task is killed
    horovod.install()  # lets the ranks of Horovod meet
    jax.install()  # shows whether JAX's processes have connected
    progress.install()  # reports the progress of Model.fit
    serving.install()  # reports whether the task serves the others
    steps.install()  # records when a custom loop took steps
    saving.install()  # records when the program saved
    exchanges.install()  # records every collective that is executed
    horovod_exchanges.install()  # records every exchange of Horovod
