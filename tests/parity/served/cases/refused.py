"""Rows that are refused before a step is scheduled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from mwtutor.exceptions import NotSupported
from tests.parity.case import Env, Promise, Result
from tests.parity.models import (
    CLASSES,
    FEATURES,
    ROWS,
    arrays,
    classifier,
    compiled,
    dataset,
    fit,
    fix_weights,
    loss,
    one_layer,
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


def as_is(row: str, does: dict[str, Any], note: str) -> Callable[[Run], Run]:
    """What Keras 2 does instead of refusing."""

    def register(run: Run) -> Run:
        def expected(env: Env) -> Result:
            return {name: np.array(value) for name, value in does.items()}

        CASES.add(row, Promise.AS_IS, (2,), workers=(1,), reference=expected, note=note)(run)
        return run

    return register


def _raised(run: Callable[[Any], Any], *given: Any) -> np.ndarray:
    """The name of what each has raised; empty if it succeeded."""
    found = []
    for one in given:
        try:
            run(one)
        except Exception as error:
            found.append(type(error).__name__)
        else:
            found.append("")
    return np.array(found)


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


ROW = "`LambdaCallback` on batches, `TerminateOnNaN`, `TensorBoard` on steps"


def _callbacks_of_batches(env: Env) -> list[Any]:
    callbacks = env.keras.callbacks
    return [
        callbacks.LambdaCallback(on_train_batch_begin=lambda batch, logs: None),
        callbacks.TerminateOnNaN(),
        callbacks.TensorBoard(str(env.directory), update_freq=2),
        callbacks.ModelCheckpoint(str(env.directory / "a.keras"), save_freq=2, save_best_only=True),
    ]


def _fit_with(env: Env, callback: Any) -> None:
    fit(compiled(env), endless(), steps_per_epoch=STEPS, callbacks=[callback])


@refused(ROW)
def callbacks_of_batches(env: Env) -> Result:
    return _all_refused(lambda given: _fit_with(env, given), *_callbacks_of_batches(env))


@as_is(
    ROW,
    {"errors": ["ValueError", "TypeError", "", ""]},
    "Keras 2: `LambdaCallback` is refused, `TerminateOnNaN` raises at its first step, and "
    "`TensorBoard` works",
)
def callbacks_of_batches_2(env: Env) -> Result:
    return {"errors": _raised(lambda given: _fit_with(env, given), *_callbacks_of_batches(env))}


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


ROW = "`jit_compile=True`"


@refused(ROW)
def jit_compile(env: Env) -> Result:
    fit(compiled(env, jit_compile=True), endless(), steps_per_epoch=STEPS)
    return {}


@refused(ROW, keras=(2,), says="Trying to access resource")
def jit_compile_2(env: Env) -> Result:
    return jit_compile(env)


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


ROW = "`train_on_batch`, `test_on_batch`, `predict_on_batch`"


def _on_batch(env: Env) -> list[Callable[[], Any]]:
    model = compiled(env)
    x, y = arrays(8)
    return [
        lambda: model.train_on_batch(x, y),
        lambda: model.test_on_batch(x, y),
        lambda: model.predict_on_batch(x),
    ]


@refused(ROW)
def on_batch(env: Env) -> Result:
    return _all_refused(lambda run: run(), *_on_batch(env))


@refused(ROW, keras=(2,), says="create_per_worker_dataset")
def on_batch_2(env: Env) -> Result:
    *others, last = _on_batch(env)
    assert _raised(lambda run: run(), *others).tolist() == ["ValueError"] * 2
    last()
    return {}


ROW = "model made outside the scope"


@as_is(
    ROW,
    {"keeps it": ["chief"], "errors in the scope": [1]},
    "Keras 2: the chief trains it alone, or in the scope raises",
)
def model_outside_2(env: Env) -> Result:
    def made() -> Any:
        model = one_layer(env)
        model.compile("sgd", loss(env))
        return model

    def inside(model: Any) -> None:
        with env.scope():
            fit(model, endless(), steps_per_epoch=STEPS)

    model = made()
    fit(model, endless(), steps_per_epoch=STEPS)
    return {
        "keeps it": np.array([_job(weight) for weight in model.weights[:1]]),
        "errors in the scope": np.array([int(any(_raised(inside, made())))]),
    }


def _job(variable: Any) -> str:
    return str(tf.DeviceSpec.from_string(variable.device).job)


@refused(ROW)
def model_outside(env: Env) -> Result:
    model = classifier(env)
    model.compile("sgd", loss(env))

    def inside() -> None:
        with env.scope():
            fit(model)

    return _all_refused(lambda run: run(), inside, lambda: fit(model))


ROW = "optimizer or metric made outside the scope"


def _fit_compiled_with(env: Env, options: dict[str, Any]) -> None:
    with env.scope():
        model = classifier(env)
        model.compile(**{"optimizer": "sgd", "loss": loss(env), **options})
    fit(model, endless(), steps_per_epoch=STEPS)


@refused(ROW)
def parts_outside(env: Env) -> Result:
    metric = env.keras.metrics.SparseCategoricalAccuracy()
    adam = env.keras.optimizers.Adam(0.05)
    given: list[Any] = [{"metrics": [metric]}, {"optimizer": adam}]
    return _all_refused(lambda options: _fit_compiled_with(env, options), *given)


@as_is(
    ROW,
    {"metric": ["ValueError"], "steps are counted by": ["chief"]},
    "Keras 2: refuses the metric, and keeps the optimizer's count of steps on the chief",
)
def parts_outside_2(env: Env) -> Result:
    metric = env.keras.metrics.SparseCategoricalAccuracy()
    adam = env.keras.optimizers.Adam(0.05)
    _fit_compiled_with(env, {"optimizer": adam})
    return {
        "metric": _raised(lambda given: _fit_compiled_with(env, given), {"metrics": [metric]}),
        "steps are counted by": np.array([_job(adam.iterations)]),
    }


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


ROW = "`evaluate`, and validation, without an end"


@refused(ROW, keras=(2,), says="When providing an infinite dataset")
def endless_evaluation_2(env: Env) -> Result:
    model = compiled(env)
    fitting = {"steps_per_epoch": STEPS, "validation_data": endless()}
    assert _raised(lambda options: fit(model, endless(), **options), fitting) == ["ValueError"]
    model.evaluate(endless(), verbose=0)
    return {}


@refused(ROW)
def endless_evaluation(env: Env) -> Result:
    model = compiled(env)
    return _all_refused(
        lambda run: run(),
        lambda: model.evaluate(endless(), verbose=0),
        lambda: fit(model, endless(), steps_per_epoch=STEPS, validation_data=endless()),
    )


ROW = "generators, `PyDataset`, datasets that call Python"


def _python_data(env: Env) -> list[Any]:
    utils = env.keras.utils

    class Rows(utils.PyDataset if env.version == 3 else utils.Sequence):  # type: ignore[misc]
        def __len__(self) -> int:
            return 1

        def __getitem__(self, index: int) -> Any:
            return arrays()

    return [Rows(), (rows for rows in [arrays()])]


@refused(ROW)
def python_data(env: Env) -> Result:
    def rows() -> Any:
        yield from zip(*arrays(), strict=True)

    def generated(context: Any = None) -> Any:
        specs = (tf.TensorSpec((FEATURES,)), tf.TensorSpec((), tf.int32))
        return tf.data.Dataset.from_generator(rows, output_signature=specs).batch(8)

    model = compiled(env)
    return _all_refused(
        lambda data: fit(model, data, steps_per_epoch=STEPS),
        *_python_data(env),
        generated(),
        generated,
    )


@refused(
    ROW,
    keras=(2,),
    says="Only `tf.keras.utils.experimental.DatasetCreator`",
    note="Keras 2 does not refuse datasets that call Python: do not use them",
)
def python_data_2(env: Env) -> Result:
    model = compiled(env)
    sequence, generator = _python_data(env)
    assert _raised(lambda data: fit(model, data), sequence).tolist() == ["NotImplementedError"]
    fit(model, generator, steps_per_epoch=STEPS)
    return {}


ROW = "a function that uses a dataset made outside it"


@refused(ROW)
def dataset_of_the_chief(env: Env) -> Result:
    outside = endless()
    fit(compiled(env), function(env, lambda context: outside), steps_per_epoch=STEPS)
    return {}


@refused(ROW, keras=(2,), says="Unable to parse tensor proto")
def dataset_of_the_chief_2(env: Env) -> Result:
    return dataset_of_the_chief(env)


ROW = "a constraint on a variable in parts"


@CASES.add(ROW, keras=(2,), workers=(1,), note="Keras 2: each part is constrained separately")
def constrained_parts_2(env: Env) -> Result:
    """A constraint that acts on each number separately; any other would act on each part."""
    with env.scope():
        table = env.keras.layers.Embedding(101, 4, embeddings_constraint="non_neg")
        layers = [table, env.keras.layers.GlobalAveragePooling1D(), env.keras.layers.Dense(CLASSES)]
        model = env.keras.Sequential([env.keras.Input((FEATURES,), dtype="int32"), *layers])
        model.compile(env.keras.optimizers.SGD(5.0), loss(env))
    fix_weights(model.layers[-1])
    words = np.random.RandomState(1).randint(101, size=(ROWS, FEATURES)).astype("int32")
    table.embeddings.assign(np.full((101, 4), 0.01, "float32"))
    fit(model, endless(words, arrays()[1]), steps_per_epoch=STEPS)
    whole = np.array(tf.convert_to_tensor(table.embeddings))
    return {"table": whole, "zeros": np.array((whole == 0).sum())}


@refused(ROW)
def constrained_parts(env: Env) -> Result:
    def late() -> None:
        with env.scope():
            hidden = env.keras.layers.Dense(64, kernel_constraint="non_neg")
            model = env.keras.Sequential([hidden, env.keras.layers.Dense(CLASSES)])
            model.compile("sgd", loss(env))
        fit(model, endless(), steps_per_epoch=STEPS)

    def at_once() -> None:
        with env.scope():
            env.keras.layers.Embedding(101, 4, embeddings_constraint="non_neg").build()

    return _all_refused(lambda run: run(), at_once, late)


ROW = "an optimizer that is given a variable in parts as a whole"


@refused(ROW)
def whole_given(env: Env) -> Result:
    class Table(env.keras.layers.Layer):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.table = env.keras.Variable(tf.zeros([101, FEATURES]), name="table")

        def call(self, x: Any) -> Any:
            return x * self.table[0]

    class Late(Table):
        def __init__(self) -> None:
            env.keras.layers.Layer.__init__(self)

        def build(self, shape: Any) -> None:
            self.table = env.keras.Variable("zeros", shape=[101, FEATURES], name="table")

    with env.scope():
        model = env.keras.Sequential([env.keras.Input((FEATURES,)), Table()])
        late = env.keras.Sequential([Late()])
        for one in (model, late):
            one.compile("adam", loss(env))
    table = model.layers[0].table
    return _all_refused(
        lambda run: run(),
        lambda: fit(late, endless(), steps_per_epoch=STEPS),
        lambda: fit(model, endless(), steps_per_epoch=STEPS),
        lambda: model.optimizer.add_variable_from_reference(table, "slot"),
        lambda: model.optimizer.add_variable_from_reference(table._value, "slot"),
    )


@as_is(
    ROW,
    {"slots are kept by": ["chief", "chief"]},
    "Keras 2: its slots are on the chief",
)
def whole_given_2(env: Env) -> Result:
    with env.scope():
        table = tf.Variable(tf.zeros([101, FEATURES]))
        adam = env.keras.optimizers.Adam()
    adam.build([table])
    slots = [*adam._momentums, *adam._velocities]
    return {"slots are kept by": np.array([_job(slot) for slot in slots])}


ROW = "a custom `test_step` that returns values of its own"


@CASES.add(
    ROW, keras=(2,), workers=(1,), note="Keras 2: the values of the batch that finished last"
)
def own_test_values_2(env: Env) -> Result:
    return own_test_values(env)


@refused(ROW)
def own_test_values(env: Env) -> Result:
    class Testing(env.keras.Sequential):  # type: ignore[name-defined,misc]
        def test_step(self, data: Any) -> Any:
            return {"largest": tf.reduce_max(self(data[0]))}

    with env.scope():
        model = one_layer(env, Testing)
        model.compile("sgd", loss(env))
    options = {"steps": STEPS} if env.version == 2 else {}
    fix_weights(model)
    return {"values": np.array(model.evaluate(dataset(), verbose=0, **options))}
