"""The rows: the same program in one process and under a chief, on the same batches."""

from __future__ import annotations

import contextlib
import csv
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from mwtutor.exceptions import NotSupported
from tests.parity.case import Cases, Env, Promise, Result
from tests.parity.models import (
    BATCH,
    CLASSES,
    FEATURES,
    ROWS,
    arrays,
    classifier,
    compiled,
    dataset,
    fit,
    fix_weights,
    logs,
    loss,
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


# Data.


@CASES.add("`fit` with a `tf.data.Dataset`", workers=(1,))
def fit_dataset(env: Env) -> Result:
    return trained(env, metrics=["accuracy"])


ROW = "`fit` with a `tf.data.Dataset` that ends, without `steps_per_epoch`"


@CASES.add(ROW, keras=(3,), workers=(1,), note="an epoch has as many steps as the dataset batches")
def fit_finite(env: Env) -> Result:
    model = compiled(env)
    return after(model, fit(model, epochs=2))


@CASES.add(
    "`fit` with a function that makes a dataset",
    workers=(1,),
    note="Keras 2: in a `DatasetCreator`; Keras 3: the function itself",
)
def fit_function(env: Env) -> Result:
    model = compiled(env)
    return after(model, fit(model, function(env, made), epochs=2, steps_per_epoch=STEPS))


@CASES.add("`fit` with `distribute_datasets_from_function`", workers=(1,))
def fit_distributed_function(env: Env) -> Result:
    model = compiled(env)
    data = endless()
    if env.strategy is not None:
        data = env.strategy.distribute_datasets_from_function(made)
    return after(model, fit(model, data, epochs=2, steps_per_epoch=STEPS))


@CASES.add("`fit` with `create_per_worker_dataset`", keras=(3,), workers=(1,))
def fit_per_worker(env: Env) -> Result:
    model = compiled(env)
    data = endless()
    if env.strategy is not None:
        coordinator = tf.distribute.coordinator.ClusterCoordinator(env.strategy)
        data = coordinator.create_per_worker_dataset(
            lambda: env.strategy.distribute_datasets_from_function(made)
        )
    return after(model, fit(model, data, epochs=2, steps_per_epoch=STEPS))


@CASES.add("`fit` with NumPy arrays", workers=(1,), note="Keras 2: `steps_per_epoch` is needed")
def fit_numpy(env: Env) -> Result:
    model = compiled(env)
    needed = {"steps_per_epoch": STEPS} if env.version == 2 else {}
    history = fit(model, *arrays(), batch_size=BATCH, epochs=2, shuffle=False, **needed)
    return after(model, history)


@CASES.add("`validation_data`", workers=(1,))
def validation_data(env: Env) -> Result:
    model = compiled(env, metrics=["accuracy"])
    x, y = arrays(24)
    history = fit(
        model,
        endless(),
        epochs=2,
        steps_per_epoch=STEPS,
        validation_data=dataset(x[::-1].copy(), y),
        validation_steps=2,
    )
    return after(model, history)


@CASES.add("`validation_split`", keras=(3,), workers=(1,))
def validation_split(env: Env) -> Result:
    model = compiled(env)
    history = fit(model, *arrays(), batch_size=BATCH, shuffle=False, validation_split=0.25)
    return after(model, history)


@CASES.add("`class_weight`", workers=(1,))
def class_weight(env: Env) -> Result:
    model = compiled(env)
    weight = {0: 1.0, 1: 3.0, 2: 0.5}
    return after(model, fit(model, endless(), steps_per_epoch=STEPS, class_weight=weight))


@CASES.add("`sample_weight`", workers=(1,))
def sample_weight(env: Env) -> Result:
    model = compiled(env, weighted_metrics=["accuracy"])
    x, y = arrays()
    weighted = endless(x, y, np.arange(ROWS, dtype="float32"))
    return after(model, fit(model, weighted, steps_per_epoch=STEPS))


@CASES.add("`steps_per_execution`, which an epoch is no multiple of", workers=(1,))
def steps_per_execution(env: Env) -> Result:
    model = compiled(env, steps_per_execution=3)
    return after(model, fit(model, endless(), epochs=2, steps_per_epoch=STEPS))


@CASES.add("`evaluate`: each row once", workers=(1, 2))
def evaluate(env: Env) -> Result:
    model = compiled(env, metrics=["accuracy", env.keras.metrics.SparseTopKCategoricalAccuracy(2)])
    options = {"steps": STEPS} if env.version == 2 else {}
    found = np.array(model.evaluate(dataset(), verbose=0, **options))
    return {"loss": found[:1], "steps": found}


@CASES.add("`evaluate`, uneven last batch", keras=(3,), workers=(1, 2))
def evaluate_uneven(env: Env) -> Result:
    model = compiled(env, metrics=["accuracy"])
    found = np.array(model.evaluate(*arrays(), batch_size=7, verbose=0))
    return {"loss": found[:1], "steps": found}


@CASES.add("`evaluate` with a function that makes a dataset", workers=(1,))
def evaluate_function(env: Env) -> Result:
    model = compiled(env)
    return {"loss": np.array(model.evaluate(function(env, made), steps=STEPS, verbose=0))}


@CASES.add(
    "`predict`: rows in order, none lost or doubled",
    workers=(1, 2),
    note="the chief predicts, by itself",
)
def predict(env: Env) -> Result:
    model = compiled(env)
    x, _ = arrays()
    rows = model.predict(dataset(x), verbose=0)
    with env.scope():
        assert np.array_equal(rows, model.predict(x, verbose=0, batch_size=BATCH))
    fit(model, endless(), steps_per_epoch=STEPS)
    return {"loss": np.zeros(1), "rows in steps": rows}


# Models.


@CASES.add("metrics with state: AUC, top-k", workers=(1,))
def metrics_with_state(env: Env) -> Result:
    x, y = arrays()
    with env.scope():
        model = env.keras.Sequential(
            [env.keras.Input((FEATURES,)), env.keras.layers.Dense(1, activation="sigmoid")]
        )
        metrics = [env.keras.metrics.AUC(name="auc"), env.keras.metrics.Precision(name="precision")]
        model.compile(env.keras.optimizers.SGD(0.1), "binary_crossentropy", metrics=metrics)
    fix_weights(model)
    data = endless(x, (y[:, None] > 0).astype("float32"))
    return after(model, fit(model, data, epochs=2, steps_per_epoch=STEPS))


@CASES.add("functional model, several losses and outputs", workers=(1,))
def several_outputs(env: Env) -> Result:
    layers = env.keras.layers
    x, y = arrays()
    with env.scope():
        inputs = env.keras.Input((FEATURES,), name="x")
        hidden = layers.Dense(5, activation="tanh")(inputs)
        outputs = {
            "kind": layers.Dense(CLASSES, name="kind")(hidden),
            "size": layers.Dense(1, name="size", kernel_regularizer="l2")(hidden),
        }
        model = env.keras.Model(inputs, outputs)
        model.compile(
            env.keras.optimizers.SGD(0.1),
            loss={"kind": loss(env), "size": "mse"},
            loss_weights={"kind": 1.0, "size": 0.3},
            metrics={"kind": ["accuracy"], "size": ["mae"]},
        )
    fix_weights(model)
    data = endless(x, {"kind": y, "size": x[:, :1].copy()})
    return after(model, fit(model, data, steps_per_epoch=STEPS))


@CASES.add("subclassed model, built by `fit`", keras=(3,), workers=(1,))
def subclassed(env: Env) -> Result:
    class Classifier(env.keras.Model):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            zeros = {"kernel_initializer": "ones"}
            self.hidden = env.keras.layers.Dense(5, activation="tanh", **zeros)
            self.head = env.keras.layers.Dense(CLASSES, **zeros)

        def call(self, x: Any) -> Any:
            self.add_loss(0.01 * tf.reduce_sum(x))
            return self.head(self.hidden(x))

    with env.scope():
        model = Classifier()
        model.compile(env.keras.optimizers.SGD(0.1), loss(env))
    return after(model, fit(model, endless(), steps_per_epoch=STEPS))


def _stepping(env: Env, outputs: Callable[[Any, Any], Any]) -> Any:
    class Stepping(env.keras.Sequential):  # type: ignore[name-defined,misc]
        def train_step(self, data: Any) -> Any:
            x, y = data
            with tf.GradientTape() as tape:
                y_pred = self(x, training=True)
                value = self.compute_loss(x=x, y=y, y_pred=y_pred)
            gradients = tape.gradient(value, self.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
            return outputs(self, (y, y_pred))

    with env.scope():
        model = Stepping([env.keras.Input((FEATURES,)), env.keras.layers.Dense(CLASSES)])
        model.compile(env.keras.optimizers.SGD(0.1), loss(env), metrics=["accuracy"])
    fix_weights(model)
    return model


@CASES.add("custom `train_step` that returns its metrics", workers=(1,))
def custom_train_step(env: Env) -> Result:
    def outputs(model: Any, seen: Any) -> Any:
        if env.version == 2:
            model.compiled_metrics.update_state(*seen)
            return {m.name: m.result() for m in model.metrics}
        return model.compute_metrics(None, *seen)

    model = _stepping(env, outputs)
    history = fit(model, endless(), steps_per_epoch=STEPS)
    return {**after(model), "accuracy": np.array(history.history["accuracy"])}


@CASES.add(
    "custom `train_step` that returns values of its own",
    workers=(1,),
    note="those of the step that was scheduled last, which need not be the last that was done",
)
def custom_values(env: Env) -> Result:
    model = _stepping(env, lambda _, seen: {"largest": tf.reduce_max(seen[1])})
    return after(model, fit(model, endless(), steps_per_epoch=STEPS))


@CASES.add("`keras.random` without a seed, in a `train_step`", keras=(3,), workers=(1,))
def unseeded(env: Env) -> Result:
    def outputs(model: Any, seen: Any) -> Any:
        drawn = env.keras.random.uniform(())
        return {"in bounds": tf.cast((drawn >= 0) & (drawn <= 1), "float32")}

    model = _stepping(env, outputs)
    return after(model, fit(model, endless(), steps_per_epoch=STEPS))


@CASES.add("embedding (sparse gradients)", workers=(1,))
def embedding(env: Env) -> Result:
    return _embedded(env, rows=20)


@CASES.add("embedding in parts, on several servers", workers=(1,))
def embedding_in_parts(env: Env) -> Result:
    return _embedded(env, rows=101)


def _embedder(env: Env, rows: int) -> Any:
    with env.scope():
        table = env.keras.layers.Embedding(rows, 4, embeddings_regularizer="l2")
        model = env.keras.Sequential(
            [
                env.keras.Input((FEATURES,), dtype="int32"),
                table,
                env.keras.layers.GlobalAveragePooling1D(),
                env.keras.layers.Dense(CLASSES, kernel_initializer="ones"),
            ]
        )
        model.compile(env.keras.optimizers.Adam(0.05), loss(env))
    size = (rows, 4)
    table.embeddings.assign(np.random.RandomState(2).normal(size=size).astype("float32"))
    if env.strategy is not None:
        assert len(table.weights) == (2 if rows > 64 else 1)
    return model, table


def _embedded(env: Env, rows: int) -> Result:
    model, table = _embedder(env, rows)
    words = np.random.RandomState(1).randint(rows, size=(ROWS, FEATURES)).astype("int32")
    history = fit(model, endless(words, arrays()[1]), epochs=2, steps_per_epoch=STEPS)
    whole = np.array(tf.convert_to_tensor(table.embeddings))
    return {"table": whole, **steps_of(model), **logs(history.history)}


@CASES.add("`BatchNormalization`", workers=(1,))
def batch_normalization(env: Env) -> Result:
    return trained(env, hidden=lambda: [env.keras.layers.BatchNormalization()])


@CASES.add("`Dropout`, with a seed", keras=(3,), workers=(1,))
def dropout(env: Env) -> Result:
    return trained(env, hidden=lambda: [env.keras.layers.Dropout(0.5, seed=3)])


@CASES.add("`compile` outside the scope", workers=(1,))
def compile_outside(env: Env) -> Result:
    with env.scope():
        model = classifier(env)
    fix_weights(model)
    model.compile("sgd", loss(env), metrics=["accuracy"])
    return after(model, fit(model, endless(), steps_per_epoch=STEPS))


# Optimizers.


def optimizer(row: str, **more: Any) -> Callable[[Callable[[Env], Any]], Callable[[Env], Any]]:
    def register(make: Callable[[Env], Any]) -> Callable[[Env], Any]:
        def run(env: Env) -> Result:
            return trained(env, lambda: make(env))

        run.__name__ = make.__name__
        CASES.add(row, workers=(1,), **more)(run)
        return make

    return register


@optimizer("SGD with momentum")
def momentum(env: Env) -> Any:
    return env.keras.optimizers.SGD(0.1, momentum=0.9)


@optimizer("Adam")
def adam(env: Env) -> Any:
    return env.keras.optimizers.Adam(0.05)


@optimizer("AdamW")
def adamw(env: Env) -> Any:
    return env.keras.optimizers.AdamW(0.05, weight_decay=0.1)


@optimizer("Nadam")
def nadam(env: Env) -> Any:
    return env.keras.optimizers.Nadam(0.05)


@optimizer("learning-rate schedule")
def schedule(env: Env) -> Any:
    decay = env.keras.optimizers.schedules.ExponentialDecay(0.2, 3, 0.5)
    return env.keras.optimizers.SGD(decay)


@optimizer("EMA, overwriting every 3 steps")
def ema(env: Env) -> Any:
    return env.keras.optimizers.SGD(0.1, use_ema=True, ema_momentum=0.5, ema_overwrite_frequency=3)


@optimizer("per-variable `clipnorm`")
def clipnorm(env: Env) -> Any:
    return env.keras.optimizers.SGD(0.5, clipnorm=0.05)


@optimizer("`global_clipnorm`")
def global_clipnorm(env: Env) -> Any:
    return env.keras.optimizers.SGD(0.5, global_clipnorm=0.05)


@optimizer("loss scaling")
def loss_scaling(env: Env) -> Any:
    inner = env.keras.optimizers.SGD(0.1)
    if env.version == 2:
        return env.keras.mixed_precision.LossScaleOptimizer(inner, initial_scale=256)
    return env.keras.optimizers.LossScaleOptimizer(inner, initial_scale=256)


@CASES.add(
    "two workers: every step counts, the loss converges",
    workers=(1, 2),
    note="with two workers: the exact count of steps and of rows, and the loss of one process to 5 %",
)
def converges(env: Env) -> Result:
    class Rows(env.keras.metrics.Metric):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__(name="rows")
            self.seen = self.add_weight(name="seen", shape=(), initializer="zeros")

        def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
            self.seen.assign_add(tf.cast(tf.shape(y_pred)[0], "float32"))

        def result(self) -> Any:
            return self.seen + 0.0

    with env.scope():
        rows = Rows()
    model = compiled(env, metrics=[rows], steps_per_execution=3)
    history = fit(model, function(env, made), epochs=3, steps_per_epoch=50).history
    found = np.array(model.evaluate(endless(), steps=STEPS, verbose=0)[0])
    counted = {"steps": steps_of(model)["steps"], "rows in steps": np.array(history["rows"])}
    return {"loss": found[None], **counted}


# Callbacks and files.


@CASES.add("`EarlyStopping`, `ReduceLROnPlateau`, `LearningRateScheduler`", workers=(1,))
def callbacks_of_epochs(env: Env) -> Result:
    callbacks = env.keras.callbacks
    model = compiled(env)
    given = [
        callbacks.EarlyStopping("loss", min_delta=10.0, patience=2),
        callbacks.ReduceLROnPlateau("loss", factor=0.5, patience=1, min_delta=10.0),
        callbacks.LearningRateScheduler(lambda epoch, rate: rate * (1.0 if epoch else 0.5)),
    ]
    history = fit(model, endless(), epochs=6, steps_per_epoch=STEPS, callbacks=given)
    return {**after(model), "epochs": np.array(len(history.history["loss"]))}


@CASES.add("a callback of one's own that acts on epochs", workers=(1,))
def own_callback(env: Env) -> Result:
    class Epochs(env.keras.callbacks.Callback):  # type: ignore[name-defined,misc]
        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            seen.append([float(self.model.optimizer.iterations), logs["loss"]])

    seen: list[Any] = []
    fit(compiled(env), endless(), epochs=2, steps_per_epoch=STEPS, callbacks=[Epochs()])
    return {"seen": np.array(seen)}


@CASES.add("`TensorBoard`, `CSVLogger`", workers=(1,))
def loggers(env: Env) -> Result:
    path = env.directory / "log.csv"
    callbacks = env.keras.callbacks
    given = [callbacks.CSVLogger(str(path)), callbacks.TensorBoard(str(env.directory / "events"))]
    fit(compiled(env), endless(), epochs=2, steps_per_epoch=STEPS, callbacks=given)
    with path.open() as stream:
        content = [float(line["loss"]) for line in csv.DictReader(stream)]
    return {
        "csv": np.array(content),
        "files": np.array(len(list(env.directory.glob("events/**/*.v2")))),
    }


@CASES.add("`ModelCheckpoint`, best only", workers=(1,))
def model_checkpoint(env: Env) -> Result:
    path = env.directory / "best.weights.h5"
    best = env.keras.callbacks.ModelCheckpoint(
        str(path), monitor="loss", save_best_only=True, save_weights_only=True
    )
    model = compiled(env)
    fit(model, endless(), epochs=2, steps_per_epoch=STEPS, callbacks=[best])
    fresh = classifier(env)
    fresh.load_weights(path)
    return weights(fresh)


@CASES.add("`BackupAndRestore`, per epoch", workers=(1,))
def backup_per_epoch(env: Env) -> Result:
    return _interrupted(env, "epoch")


@CASES.add("`BackupAndRestore`, every k steps", keras=(3,), workers=(1,))
def backup_per_steps(env: Env) -> Result:
    return _interrupted(env, 2)


def _interrupted(env: Env, save_freq: Any) -> Result:
    class Interrupt(env.keras.callbacks.Callback):  # type: ignore[name-defined,misc]
        def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
            if epoch == 2:
                raise InterruptedError

    def adam() -> Any:
        return env.keras.optimizers.Adam(0.05)

    def callback() -> Any:
        return env.keras.callbacks.BackupAndRestore(str(directory), save_freq=save_freq)

    directory = env.directory / "backup"
    options: dict[str, Any] = {"epochs": 3, "steps_per_epoch": STEPS}
    with contextlib.suppress(InterruptedError):
        fit(compiled(env, adam), endless(), callbacks=[callback(), Interrupt()], **options)
    model = compiled(env, adam)
    return after(model, fit(model, endless(), callbacks=[callback()], **options))


@CASES.add("`model.save`, `load_model` in one process, train on", workers=(1,))
def saved(env: Env) -> Result:
    model = compiled(env, lambda: env.keras.optimizers.Adam(0.05))
    fit(model, endless(), steps_per_epoch=STEPS)
    path = env.directory / "model.keras"
    model.save(path)
    return _in_another_process(env, path)


def _in_another_process(env: Env, path: Any) -> Result:
    """Loaded where there is no strategy: a model of none would be refused in this process."""
    with tf.distribute.OneDeviceStrategy("CPU:0").scope():
        loaded = env.keras.models.load_model(path)
        fit(loaded, endless(), steps_per_epoch=STEPS)
    return after(loaded)


@CASES.add("`model.save` of parts, loaded whole", keras=(3,), workers=(1,))
def saved_parts(env: Env) -> Result:
    model, table = _embedder(env, 101)
    path = env.directory / "model.keras"
    model.save(path)
    with tf.distribute.OneDeviceStrategy("CPU:0").scope():
        loaded = env.keras.models.load_model(path, compile=False)
    before = np.array(tf.convert_to_tensor(table.embeddings))
    assert np.array_equal(loaded.get_weights()[0], before)
    table.embeddings.assign(np.zeros_like(before))
    model.load_weights(path)
    return {"table": np.array(tf.convert_to_tensor(table.embeddings))}


@CASES.add("`save_weights`, `load_weights`", workers=(1,))
def saved_weights(env: Env) -> Result:
    model = compiled(env)
    fit(model, endless(), steps_per_epoch=STEPS)
    path = env.directory / "model.weights.h5"
    model.save_weights(path)
    other = compiled(env)
    other.load_weights(path)
    return weights(other)


@CASES.add("`export`", keras=(3,), workers=(1,))
def export(env: Env) -> Result:
    model = compiled(env)
    fit(model, endless(), steps_per_epoch=STEPS)
    model.export(str(env.directory / "exported"), verbose=False)
    served = tf.saved_model.load(str(env.directory / "exported"))
    return {"rows": served.serve(arrays()[0]).numpy()}


@CASES.add("`tf.train.Checkpoint`", workers=(1,))
def checkpoint(env: Env) -> Result:
    def adam() -> Any:
        return env.keras.optimizers.Adam(0.05)

    model = compiled(env, adam)
    fit(model, endless(), steps_per_epoch=STEPS)
    path = tf.train.Checkpoint(model=model, optimizer=model.optimizer).save(
        str(env.directory / "checkpoint")
    )
    fresh = compiled(env, adam)
    fit(fresh, endless(), steps_per_epoch=STEPS)
    tf.train.Checkpoint(model=fresh, optimizer=fresh.optimizer).restore(path)
    return after(fresh, fit(fresh, endless(), steps_per_epoch=STEPS))


# What is refused.


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
