"""Rows about optimizers."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.parity.case import Cases, Env, Result
from tests.parity.models import BATCH, CLASSES, arrays, compiled, dataset, fit, trained, weights

CASES = Cases()


@CASES.add("SGD with momentum")
def sgd(env: Env) -> Result:
    return trained(env, lambda: env.keras.optimizers.SGD(0.1, momentum=0.9))


@CASES.add("Adam", workers=(2, 3))
def adam(env: Env) -> Result:
    return trained(env, lambda: env.keras.optimizers.Adam(0.01), hidden=list)


@CASES.add("AdamW")
def adamw(env: Env) -> Result:
    return trained(env, lambda: env.keras.optimizers.AdamW(0.01, weight_decay=0.1))


@CASES.add("Nadam")
def nadam(env: Env) -> Result:
    return trained(env, lambda: env.keras.optimizers.Nadam(0.01))


@CASES.add("Nadam, gradient accumulation", keras=(3,))
def nadam_accumulated(env: Env) -> Result:
    return trained(
        env, lambda: env.keras.optimizers.Nadam(0.01, gradient_accumulation_steps=2), epochs=2
    )


@CASES.add("an optimizer of one's own, with its own `_backend_update_step`", keras=(3,))
def own_optimizer(env: Env) -> Result:
    class Halving(env.keras.optimizers.SGD):  # type: ignore[name-defined,misc]
        def _backend_update_step(self, grads: Any, variables: Any, rate: Any) -> None:
            halves = [gradient / 2 for gradient in grads]
            super()._backend_update_step(halves, variables, rate)

    return trained(env, lambda: Halving(0.1, momentum=0.9))


@CASES.add("EMA")
def ema(env: Env) -> Result:
    def optimizer() -> Any:
        return env.keras.optimizers.SGD(0.1, use_ema=True, ema_momentum=0.8)

    return trained(env, optimizer)


@CASES.add("EMA, overwriting every 3 steps")
def ema_overwrite(env: Env) -> Result:
    def optimizer() -> Any:
        return env.keras.optimizers.SGD(
            0.1, use_ema=True, ema_momentum=0.8, ema_overwrite_frequency=3
        )

    return trained(env, optimizer)


@CASES.add("per-variable `clipnorm`")
def clipnorm(env: Env) -> Result:
    return trained(env, lambda: env.keras.optimizers.SGD(0.5, clipnorm=0.05))


@CASES.add("`clipvalue`")
def clipvalue(env: Env) -> Result:
    return trained(env, lambda: env.keras.optimizers.SGD(0.5, clipvalue=0.02))


@CASES.add("`global_clipnorm`", workers=(2, 3))
def global_clipnorm(env: Env) -> Result:
    return trained(env, lambda: env.keras.optimizers.SGD(0.5, global_clipnorm=0.05), hidden=list)


@CASES.add("gradient accumulation", keras=(3,), workers=(2, 3))
def gradient_accumulation(env: Env) -> Result:
    def optimizer() -> Any:
        return env.keras.optimizers.Adam(
            0.05, gradient_accumulation_steps=2, global_clipnorm=0.2, weight_decay=0.01
        )

    return trained(env, optimizer)


@CASES.add("loss scaling")
def loss_scale(env: Env) -> Result:
    return trained(env, lambda: _scaled(env, env.keras.optimizers.Adam(0.01)))


@CASES.add("loss scaling, overflow on one worker only")
def loss_scale_overflow(env: Env) -> Result:
    x, _ = arrays()
    targets = np.zeros((len(x), CLASSES), "float32")
    targets[2 * BATCH - 1] = 1e36  # the last row of the second batch: only the last worker has it
    model = compiled(env, lambda: _scaled(env, env.keras.optimizers.SGD(0.1)), loss="mse")
    fit(model, dataset(x, targets))
    scale = model.optimizer.loss_scale if env.version == 2 else model.optimizer.dynamic_scale
    return {**weights(model), "scale": np.array(scale)}


@CASES.add("loss scaling around gradient accumulation", keras=(3,))
def loss_scale_accumulation(env: Env) -> Result:
    def optimizer() -> Any:
        return _scaled(env, env.keras.optimizers.SGD(0.1, gradient_accumulation_steps=2))

    return trained(env, optimizer)


def _scaled(env: Env, inner: Any) -> Any:
    if env.version == 2:
        return env.keras.mixed_precision.LossScaleOptimizer(inner, initial_scale=2.0**10)
    return env.keras.optimizers.LossScaleOptimizer(inner, initial_scale=2.0**10)
