"""Workers that train separately: this is reported, and does not count as training together."""

import os
import signal

import psutil
import pytest

from mwtutor.display.panel.panel import Panel
from tests.support.waiting import until, until_state

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow, pytest.mark.full]

PLAIN = """
    import keras, numpy as np
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    x = np.ones((64, 2), "float32")
    model.fit(x, x[:, :1], epochs=2, verbose=0)
"""
ELSEWHERE = """
    import json, os
    if json.loads(os.environ["TF_CONFIG"])["task"]["index"] == 1:
        os.environ["TF_CONFIG"] = "{}"
    import tensorflow as tf
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    import mwtutor
    mwtutor.report(step=1)
"""

DATA_PARALLEL = """
    import time
    import keras
    keras.distribution.set_distribution(keras.distribution.DataParallel())
    time.sleep(600)
"""

BRIEF = """
    import pathlib, time
    import tensorflow as tf
    while not pathlib.Path("now").exists():
        time.sleep(0.01)
    tf.distribute.MultiWorkerMirroredStrategy()
"""


def test_a_program_without_a_strategy_is_several_trainings(launch, write):
    write("plain.py", PLAIN)
    run = launch("plain.py", 2)
    assert run.wait(timeout=120).ok
    said = (
        "These 2 workers trained separately: their weights differ at the end of fit, and plain.py"
        " creates no MultiWorkerMirroredStrategy."
    )
    assert said in repr(Panel.from_run(run))
    assert said in Panel.from_run(run)._repr_html_()


def test_a_worker_that_forgot_its_cluster_is_named_while_the_other_waits(launch, write):
    write("elsewhere.py", ELSEWHERE)
    run = launch("elsewhere.py", 2)
    for state in run.watch(timeout=60):
        if state.apart():
            break
    said = "worker:1 trains separately: its strategy has 1 worker, created without the TF_CONFIG"
    assert said in repr(Panel.from_run(run))
    run.stop()


def test_a_mirrored_strategy_is_each_workers_own(launch, write):
    write("mirrored.py", "import tensorflow as tf\ntf.distribute.MirroredStrategy(['CPU:0'])")
    run = launch("mirrored.py", 2)
    assert run.wait(timeout=120).ok
    assert (
        "No cluster was formed: mirrored.py creates a MirroredStrategy, which uses the devices of"
        " one worker only. To train together, create a MultiWorkerMirroredStrategy."
    ) in repr(Panel.from_run(run))


@pytest.mark.mw_needs("keras3")
def test_keras_own_distribution_is_named_before_anything_is_trained(launch, write):
    write("data_parallel.py", DATA_PARALLEL)
    run = launch("data_parallel.py", 2)
    until_state(run, lambda state: all(map(_uses_it, state.tasks.values())))
    said = "DataParallel has no effect on TensorFlow: there, Keras divides neither the data nor the"
    assert said in repr(Panel.from_run(run))
    assert "and with it alone each worker trains its own model." in repr(Panel.from_run(run))
    run.stop()


def _uses_it(task):
    return "DataParallel" in task.findings.without_effect


def test_a_cluster_that_formed_while_nobody_looked_has_formed(launch, write, tmp_path):
    write("brief.py", BRIEF)
    run = launch("brief.py", 2)
    state = until_state(run, lambda state: all(task.begun for task in state.tasks.values()))
    supervisor, tasks = state.supervisor[0], [task.pid for task in state.tasks.values()]
    os.kill(supervisor, signal.SIGSTOP)
    try:
        (tmp_path / "now").touch()
        zombie = psutil.STATUS_ZOMBIE
        until(lambda: all(psutil.Process(pid).status() == zombie for pid in tasks), 120)
    finally:
        os.kill(supervisor, signal.SIGCONT)
    assert run.wait(timeout=120).ok
    assert not run.state.never_met()
    assert run.state.formed
