"""Rows about callbacks and files."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
from typing import Any

import numpy as np
import tensorflow as tf

from tests.parity.case import Env, Promise, Result
from tests.parity.models import (
    arrays,
    compiled,
    fit,
    interrupt_in,
    one_layer,
    weights,
)
from tests.parity.served.cases.common import (
    CASES,
    STEPS,
    after,
    endless,
)
from tests.parity.served.cases.models import _embedder


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
    fresh = one_layer(env)
    fresh.load_weights(path)
    return weights(fresh)


@CASES.add("`BackupAndRestore`, per epoch", workers=(1,))
def backup_per_epoch(env: Env) -> Result:
    return _interrupted(env, "epoch")


ROW = "`BackupAndRestore`, every k steps"


@CASES.add(ROW, keras=(3,), workers=(1,))
def backup_per_steps(env: Env) -> Result:
    return _interrupted(env, 2)


@CASES.add(
    ROW,
    Promise.AS_IS,
    keras=(2,),
    workers=(1,),
    reference=lambda env: {"files": np.array(0), "steps": np.array(3 * STEPS)},
    note="Keras 2 silently ignores it, so training starts over",
)
def backup_per_steps_2(env: Env) -> Result:
    steps = _interrupted(env, 2)["steps"]
    return {"files": np.array(len(list(env.directory.glob("backup/**/*")))), "steps": steps}


def _interrupted(env: Env, save_freq: Any) -> Result:
    def adam() -> Any:
        return env.keras.optimizers.Adam(0.05)

    def callback() -> Any:
        return env.keras.callbacks.BackupAndRestore(str(directory), save_freq=save_freq)

    directory = env.directory / "backup"
    options: dict[str, Any] = {"epochs": 3, "steps_per_epoch": STEPS}
    with contextlib.suppress(InterruptedError):
        fit(compiled(env, adam), endless(), callbacks=[callback(), interrupt_in(env, 2)], **options)
    model = compiled(env, adam)
    return after(model, fit(model, endless(), callbacks=[callback()], **options))


@CASES.add("`model.save`, `load_model` in the scope, train on", workers=(1,))
def saved(env: Env) -> Result:
    model = compiled(env, lambda: env.keras.optimizers.Adam(0.05))
    fit(model, endless(), steps_per_epoch=STEPS)
    path = env.directory / "model.keras"
    model.save(path)
    with env.scope():
        loaded = env.keras.models.load_model(path)
    return after(loaded, fit(loaded, endless(), steps_per_epoch=STEPS))


ROW = "`model.save` of parts, loaded whole"


@CASES.add(ROW, keras=(3,), workers=(1,))
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


@CASES.add(
    ROW,
    Promise.REFUSED,
    keras=(2,),
    since_2=(2, 16),
    workers=(1,),
    says="expected 1 variables, but received 2 variables during loading",
    note="Keras 2.15 silently loads it with different numbers",
)
def saved_parts_2(env: Env) -> Result:
    return saved_parts(env)


@CASES.add("`save_weights`, `load_weights`", workers=(1,))
def saved_weights(env: Env) -> Result:
    model = compiled(env)
    fit(model, endless(), steps_per_epoch=STEPS)
    path = env.directory / "model.weights.h5"
    model.save_weights(path)
    other = compiled(env)
    other.load_weights(path)
    return weights(other)


@CASES.add("`export`", workers=(1,))
def export(env: Env) -> Result:
    model = compiled(env)
    fit(model, endless(), steps_per_epoch=STEPS)
    model.export(str(env.directory / "exported"))
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


@CASES.add("`tf.train.Checkpoint` of parts, restored in parts and whole", workers=(1,))
def checkpoint_of_parts(env: Env) -> Result:
    model, table = _embedder(env, 101)
    path = tf.train.Checkpoint(model=model).save(str(env.directory / "checkpoint"))
    with tf.distribute.OneDeviceStrategy("CPU:0").scope():
        whole, embedding = _embedder(dataclasses.replace(env, strategy=None), 101)
    for restored, layer in ((model, table), (whole, embedding)):
        layer.embeddings.assign(np.zeros((101, 4), "float32"))
        tf.train.Checkpoint(model=restored).restore(path)
    return {
        "in parts": np.array(tf.convert_to_tensor(table.embeddings)),
        "whole": np.array(tf.convert_to_tensor(embedding.embeddings)),
    }


ROW = "`export` of parts"


@CASES.add(ROW, Promise.REFUSED, keras=(3,), workers=(1,))
def exported_parts(env: Env) -> Result:
    if env.strategy is not None:
        _embedder(env, 101)[0].export(str(env.directory / "exported"))
    return {}


@CASES.add(ROW, Promise.REFUSED, keras=(2,), workers=(1,), says="untracked")
def exported_parts_2(env: Env) -> Result:
    return exported_parts(env)
