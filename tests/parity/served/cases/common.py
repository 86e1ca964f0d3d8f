"""What rows share: endless data, and what is examined afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tests.parity.case import Cases, Env, Result
from tests.parity.models import (
    BATCH,
    ROWS,
    compiled,
    dataset,
    fit,
    logs,
    quiet,
    weights,
)

CASES = Cases()

STEPS = ROWS // BATCH

Run = Callable[[Env], Result]


def endless(*components: Any, batch: int = BATCH) -> Any:
    return quiet(dataset(*components, batch=batch).repeat())


def steps_of(model: Any) -> Result:
    return {"steps": np.array(model.optimizer.iterations)}


def after(model: Any, history: Any = None) -> Result:
    found = {**weights(model), **steps_of(model)}
    return found if history is None else {**found, **logs(history.history)}


def trained(
    env: Env, optimizer: Callable[[], Any] | None = None, epochs: int = 2, **options: Any
) -> Result:
    model = compiled(env, optimizer, **options)
    return after(model, fit(model, endless(), epochs=epochs, steps_per_epoch=STEPS))


def function(env: Env, make: Callable[..., Any]) -> Any:
    """What ``fit`` takes for a function that makes a dataset."""
    if env.strategy is None:
        return make(tf.distribute.InputContext())
    return make if env.version == 3 else env.keras.utils.experimental.DatasetCreator(make)


def made(context: Any) -> Any:
    return endless(batch=context.get_per_replica_batch_size(BATCH))
