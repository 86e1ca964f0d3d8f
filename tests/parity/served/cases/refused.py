"""Rows that are refused before a step is scheduled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from mwtutor.exceptions import NotSupported
from tests.parity.case import Env, Promise, Result
from tests.parity.models import (
    CLASSES,
    FEATURES,
    arrays,
    classifier,
    compiled,
    dataset,
    fit,
    loss,
)
from tests.parity.served.cases.common import (
    CASES,
    STEPS,
    Run,
    endless,
    function,
    made,
    trained,
)


def refused(row: str, **more: Any) -> Callable[[Run], Run]:
    def register(run: Run) -> Run:
        def tried(env: Env) -> Result:
            return {} if env.strategy is None else run(env)

        tried.__name__ = run.__name__
        more.setdefault("keras", (3,))
        CASES.add(row, Promise.REFUSED, workers=(1,), **more)(tried)
        return run

    return register


def _batches(env: Env) -> Any:
    class Batches(env.keras.callbacks.Callback):  # type: ignore[name-defined,misc]
        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            raise AssertionError("it must not be called")

    return Batches()


ROW = "a callback of one's own that acts on batches"


@refused(ROW)
def batch_callback(env: Env) -> Result:
    fit(compiled(env), endless(), steps_per_epoch=STEPS, callbacks=[_batches(env)])
    return {}


@refused(ROW, keras=(2,), says="Batch-level `Callback`s are not supported")
def batch_callback_2(env: Env) -> Result:
    return batch_callback(env)


@refused("`LambdaCallback` on batches, `TerminateOnNaN`, `TensorBoard` on steps")
def callbacks_of_batches(env: Env) -> Result:
    callbacks = env.keras.callbacks
    return _all_refused(
        lambda given: fit(compiled(env), endless(), steps_per_epoch=STEPS, callbacks=[given]),
        callbacks.LambdaCallback(on_train_batch_begin=lambda batch, logs: None),
        callbacks.TerminateOnNaN(),
        callbacks.TensorBoard(str(env.directory), update_freq=2),
        callbacks.ModelCheckpoint(str(env.directory / "a.keras"), save_freq=2, save_best_only=True),
    )


def _all_refused(run: Callable[[Any], Any], *given: Any) -> Result:
    """Each is refused; the last time as a row expects it."""
    for one in given[:-1]:
        try:
            run(one)
        except NotSupported:
            continue
        raise AssertionError(f"{one} should have been refused")
    run(given[-1])
    return {}


ROW = "`run_eagerly=True`"


@refused(ROW)
def run_eagerly(env: Env) -> Result:
    fit(compiled(env, run_eagerly=True), endless(), steps_per_epoch=STEPS)
    return {}


@refused(ROW, keras=(2,), says="`run_eagerly` is not supported")
def run_eagerly_2(env: Env) -> Result:
    return run_eagerly(env)


@refused("`jit_compile=True`")
def jit_compile(env: Env) -> Result:
    fit(compiled(env, jit_compile=True), endless(), steps_per_epoch=STEPS)
    return {}


ROW = "`verbose=1`"


@refused(ROW)
def bar(env: Env) -> Result:
    compiled(env).fit(endless(), steps_per_epoch=STEPS, verbose=1)
    return {}


@refused(ROW, keras=(2,), says="`verbose=1` is not allowed")
def bar_2(env: Env) -> Result:
    return bar(env)


@refused("gradient accumulation")
def accumulation(env: Env) -> Result:
    sgd = lambda: env.keras.optimizers.SGD(0.5, gradient_accumulation_steps=2)  # noqa: E731
    return trained(env, sgd)


@refused("`train_on_batch`, `test_on_batch`, `predict_on_batch`")
def on_batch(env: Env) -> Result:
    model = compiled(env)
    x, y = arrays(8)
    return _all_refused(
        lambda run: run(),
        lambda: model.train_on_batch(x, y),
        lambda: model.test_on_batch(x, y),
        lambda: model.predict_on_batch(x),
    )


@refused("model made outside the scope")
def model_outside(env: Env) -> Result:
    model = classifier(env)
    model.compile("sgd", loss(env))

    def inside() -> None:
        with env.scope():
            fit(model)

    return _all_refused(lambda run: run(), inside, lambda: fit(model))


@refused("optimizer or metric made outside the scope")
def parts_outside(env: Env) -> Result:
    def run(options: dict[str, Any]) -> None:
        with env.scope():
            model = classifier(env)
            model.compile(**{"optimizer": "sgd", "loss": loss(env), **options})
        fit(model, endless(), steps_per_epoch=STEPS)

    metric = env.keras.metrics.SparseCategoricalAccuracy()
    adam = env.keras.optimizers.Adam(0.05)
    return _all_refused(run, {"metrics": [metric]}, {"optimizer": adam})


ROW = "no `steps_per_epoch`, where the data do not tell how many there are"


@refused(ROW)
def no_steps(env: Env) -> Result:
    model = compiled(env)
    return _all_refused(
        lambda data: fit(model, data),
        endless(),
        made,
        env.strategy.experimental_distribute_dataset(endless()),
    )


@refused(ROW, keras=(2,), says="must be provided")
def no_steps_2(env: Env) -> Result:
    fit(compiled(env), function(env, made))
    return {}


@refused("`evaluate`, and validation, without an end")
def endless_evaluation(env: Env) -> Result:
    model = compiled(env)
    return _all_refused(
        lambda run: run(),
        lambda: model.evaluate(endless(), verbose=0),
        lambda: fit(model, endless(), steps_per_epoch=STEPS, validation_data=endless()),
    )


@refused("generators, `PyDataset`, datasets that call Python")
def python_data(env: Env) -> Result:
    def rows() -> Any:
        yield from zip(*arrays(), strict=True)

    class Rows(env.keras.utils.PyDataset):  # type: ignore[name-defined,misc]
        def __len__(self) -> int:
            return 1

        def __getitem__(self, index: int) -> Any:
            return arrays()

    specs = (tf.TensorSpec((FEATURES,)), tf.TensorSpec((), tf.int32))
    called = lambda: tf.data.Dataset.from_generator(rows, output_signature=specs).batch(8)  # noqa: E731
    model = compiled(env)
    return _all_refused(
        lambda data: fit(model, data, steps_per_epoch=STEPS),
        rows(),
        Rows(),
        called(),
        lambda context: called(),
    )


@refused("a function that uses a dataset made outside it")
def dataset_of_the_chief(env: Env) -> Result:
    outside = endless()
    fit(compiled(env), lambda context: outside, steps_per_epoch=STEPS)
    return {}


@refused("a constraint on a variable in parts")
def constrained_parts(env: Env) -> Result:
    with env.scope():
        env.keras.layers.Embedding(101, 4, embeddings_constraint="non_neg").build()
    return {}


@refused("a custom `test_step` that returns values of its own")
def own_test_values(env: Env) -> Result:
    class Testing(env.keras.Sequential):  # type: ignore[name-defined,misc]
        def test_step(self, data: Any) -> Any:
            return {"largest": tf.reduce_max(self(data[0]))}

    with env.scope():
        model = Testing([env.keras.Input((FEATURES,)), env.keras.layers.Dense(CLASSES)])
        model.compile("sgd", loss(env))
    model.evaluate(dataset(), verbose=0)
    return {}
