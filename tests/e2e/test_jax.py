"""Keras on JAX, really launched: ``make test-extra WHAT=jax``."""

from __future__ import annotations

import json
import os
import signal

import pytest

from mwtutor.cluster import TaskId
from mwtutor.display.panel import text
from mwtutor.display.panel.headline import report
from tests.support.machines.network import needs_machines
from tests.support.waiting import until_state

pytestmark = [pytest.mark.e2e, pytest.mark.jax, pytest.mark.mw_needs("jax")]

#: Each process trains on its own rows, and begins with its own weights unless they are shared.
TRAINS = """
    import json, os, sys
    import keras
    {initialize}
    import jax, mwtutor
    import numpy as np
    {distribute}
    rank = int(os.environ["KERAS_DISTRIBUTION_PROCESS_ID"])
    x = np.random.default_rng(rank).normal(size=(64, 4)).astype("float32")
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile(keras.optimizers.SGD(0.1), "mse")
    history = model.fit(x, x.sum(1), batch_size=8, epochs={epochs}, verbose=0)
    with open(f"{{rank}}.json", "w") as file:
        weights = [np.asarray(one).tolist() for one in model.get_weights()]
        json.dump([jax.process_count(), mwtutor.is_chief(), history.history["loss"], weights], file)
"""
INITIALIZE = "keras.distribution.initialize()"
DATA_PARALLEL = "keras.distribution.DataParallel(auto_shard_dataset=False)"
DISTRIBUTE = f"keras.distribution.set_distribution({DATA_PARALLEL})"


def program(initialize: str = INITIALIZE, distribute: str = DISTRIBUTE, epochs: int = 2) -> str:
    return TRAINS.format(initialize=initialize, distribute=distribute, epochs=epochs)


def shown_of(run) -> str:
    return text.render(report(run.spec, run.state))


@pytest.mark.parametrize("options", [{}, {"machines": 2}], ids=str)
def test_processes_train_one_model(launch, write, work, options):
    if options:
        needs_machines()
    write("train.py", program())
    run = launch("train.py", 2, with_="jax", **options)
    run.wait(timeout=500)
    found = [json.loads((work / f"{rank}.json").read_text()) for rank in range(2)]
    assert [one[:2] for one in found] == [[2, True], [2, False]]
    assert found[0][2:] == found[1][2:], "from different rows and first weights"
    assert run.state.formed
    assert {(task.epoch, task.step) for task in run.state.tasks.values()} == {(2, 8)}
    assert all(run.history("loss").values()), "curves"
    shown = shown_of(run)
    assert "2 processes of JAX" in shown
    assert "Keras 3 on JAX" in shown
    assert not any(word in shown for word in ("separately", "no collectives", "No cluster"))


@pytest.mark.parametrize("culprit", [0, 1])
def test_a_run_whose_process_dies_has_failed(launch, write, culprit):
    write("train.py", program(epochs=10**6))
    run = launch("train.py", 2, with_="jax")
    state = until_state(run, lambda state: all(task.step for task in state.tasks.values()), 500)
    os.kill(state.tasks[TaskId("worker", culprit)].pid, signal.SIGKILL)
    outcome = run.wait(timeout=60, check=False)
    assert (outcome.status, outcome.culprit) == ("failed", TaskId("worker", culprit))
    assert "signal 9" in outcome.reason


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"initialize": "", "distribute": ""},
            "These 2 workers trained separately: train.py does not call"
            " keras.distribution.initialize().",
        ),
        ({"distribute": ""}, "their weights differ at the end of fit. After"),
    ],
    ids=["not connected", "no distribution"],
)
def test_processes_that_train_separately_are_named(launch, write, changed, said):
    write("train.py", program(**changed))
    run = launch("train.py", 2, with_="jax")
    run.wait(timeout=500)
    assert said in shown_of(run)
