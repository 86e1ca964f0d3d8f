"""Callbacks and files: N workers leave behind what one process does, once."""

from __future__ import annotations

import contextlib
import re
import threading
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from tests.parity.case import Cases, Env, Promise, Result
from tests.parity.models import (
    arrays,
    barrier,
    compiled,
    dataset,
    fit,
    interrupt_in,
    logs,
    weights,
)

CASES = Cases()


def left_behind(env: Env, directory: Path) -> Result:
    """The files once all workers are done, without the process id in an event file's name."""
    barrier(env)
    names = [str(p.relative_to(directory)) for p in directory.rglob("*") if p.is_file()]
    found = np.array(sorted(re.sub(r"\.\d{9}.*", "", name) for name in names), dtype=str)
    barrier(env)
    return {"files": found}


@CASES.add("`BackupAndRestore`, per epoch", workers=(2, 3))
def backup_per_epoch(env: Env) -> Result:
    return _interrupted(env, "epoch")


@CASES.add("`BackupAndRestore`, every k steps")
def backup_per_steps(env: Env) -> Result:
    return _interrupted(env, 5)


def _interrupted(env: Env, save_freq: Any) -> Result:
    def callback() -> Any:
        return env.keras.callbacks.BackupAndRestore(str(directory), save_freq=save_freq)

    directory = env.directory / "backup"
    with contextlib.suppress(InterruptedError):
        fit(compiled(env), epochs=3, callbacks=[callback(), interrupt_in(env, 2)])
    barrier(env)
    model = compiled(env)
    history = fit(model, epochs=3, callbacks=[callback()]).history
    return {**weights(model), **logs(history), **left_behind(env, env.directory)}


@CASES.add("`ModelCheckpoint`, best only")
def model_checkpoint(env: Env) -> Result:
    path = env.directory / "best.keras"
    best = env.keras.callbacks.ModelCheckpoint(str(path), monitor="loss", save_best_only=True)
    every = env.keras.callbacks.ModelCheckpoint(
        str(env.directory / "epoch{epoch}.weights.h5"), save_weights_only=True
    )
    model = compiled(env)
    fit(model, epochs=2, callbacks=[best, every])
    barrier(env)
    with env.scope():
        again = env.keras.models.load_model(str(path))
    return {**weights(again), **left_behind(env, env.directory), "best": np.array(best.best)}


@CASES.add("`TensorBoard`")
def tensorboard(env: Env) -> Result:
    callback = env.keras.callbacks.TensorBoard(str(env.directory), histogram_freq=1, update_freq=2)
    model = compiled(env)
    fit(model, callbacks=[callback], validation_data=dataset(*arrays(16)))
    return left_behind(env, env.directory)


@CASES.add("`CSVLogger`")
def csv_logger(env: Env) -> Result:
    path = env.directory / "log.csv"
    fit(compiled(env), epochs=2, callbacks=[env.keras.callbacks.CSVLogger(str(path))])
    barrier(env)
    table = np.genfromtxt(path, delimiter=",", skip_header=1, usecols=(0, 1))
    return {"table": table, **left_behind(env, env.directory)}


ROW = "callbacks that write to a path for each worker"


@CASES.add(ROW, keras=(3,))
def callbacks_with_own_paths(env: Env) -> Result:
    own, callbacks = env.directory / f"worker{env.index}", env.keras.callbacks
    model = compiled(env)
    written = [
        callbacks.TensorBoard(str(own / "logs")),
        callbacks.CSVLogger(str(own / "log.csv")),
        callbacks.ModelCheckpoint(str(own / "last.keras")),
    ]
    own.mkdir()
    fit(model, callbacks=written)
    table = np.genfromtxt(own / "log.csv", delimiter=",", skip_header=1, usecols=(0, 1))
    evaluated = callbacks.TensorBoard(str(own / "evaluated"))
    model.evaluate(dataset(), verbose=0, callbacks=[evaluated])
    evaluated._close_writers()
    return {"table": table, **left_behind(env, own)}


@CASES.add(
    ROW,
    Promise.AS_IS,
    keras=(2,),
    reference=lambda env: {"workers with files": np.array(1)},
    note="Keras 2: `TensorBoard` and `ModelCheckpoint` write only on the chief",
)
def callbacks_with_own_paths_2(env: Env) -> Result:
    own, callbacks = env.directory / f"worker{env.index}", env.keras.callbacks
    written = [
        callbacks.TensorBoard(str(own / "logs")),
        callbacks.ModelCheckpoint(str(own / "last.keras")),
    ]
    fit(compiled(env), callbacks=written)
    barrier(env)
    found = {path.relative_to(env.directory).parts[0] for path in env.directory.rglob("*.*")}
    return {"workers with files": np.array(len(found))}


@CASES.add("`EarlyStopping`: all workers, the same step")
def early_stopping(env: Env) -> Result:
    stop = env.keras.callbacks.EarlyStopping(
        "val_loss", patience=1, min_delta=0.05, restore_best_weights=True
    )
    model = compiled(env, lambda: env.keras.optimizers.SGD(0.3))
    history = fit(model, epochs=30, callbacks=[stop], validation_data=dataset(*arrays(16)))
    return {**weights(model), **logs(history.history), "stopped": np.array(stop.stopped_epoch)}


@CASES.add("a callback that stops one worker stops all", keras=(3,))
def stop_on_one(env: Env) -> Result:
    hooks = ("on_epoch_end", "on_epoch_begin", "on_train_batch_begin", "on_train_batch_end")
    found: Result = {}
    for hook in hooks:
        model = compiled(env)
        history = fit(model, epochs=4, callbacks=[_stop_in(env, hook)])
        found.update({f"{hook} {name}": value for name, value in weights(model).items()})
        found[f"{hook} epochs"] = np.array(len(history.history["loss"]))
    return found


def _stop_in(env: Env, hook: str) -> Any:
    """A callback with which the last worker asks to stop when ``hook`` is called a second time."""
    times = iter(range(1000))

    def stop(self: Any, *_: Any, **__: Any) -> None:
        last_worker = env.strategy is None or env.index == env.replicas - 1
        if next(times) == 1 and last_worker:
            self.model.stop_training = True

    return type("Stop", (env.keras.callbacks.Callback,), {hook: stop})()


@CASES.add(
    "a thread that stops one worker stops all",
    Promise.CONSISTENT,
    keras=(3,),
    reference=lambda env: {"epochs": np.array(1)},
    note="at the end of the epoch, unless a callback acts on batches",
)
def stop_by_thread(env: Env) -> Result:
    model = compiled(env)
    done = threading.Event()

    def stop() -> None:
        while env.index == env.replicas - 1 and not done.wait(0.005):
            model.stop_training = True

    thread = threading.Thread(target=stop)
    thread.start()
    history = fit(model, epochs=20)
    done.set()
    thread.join()
    return {"epochs": np.array(len(history.history["loss"]))}


@CASES.add(
    "a callback that stops one worker stops all",
    Promise.AS_IS,
    keras=(2,),
    reference=lambda env: {"epochs, all workers": np.array(2.0 + 4.0 * (env.replicas - 1))},
    note="Keras 2: the others continue, and wait for it forever",
)
def stop_on_one_alone(env: Env) -> Result:
    class Stop(env.keras.callbacks.Callback):  # type: ignore[name-defined,misc]
        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            self.model.stop_training = epoch == 1 and env.index == env.replicas - 1

    model = compiled(env)
    epochs = len(fit(model, epochs=4, callbacks=[Stop()]).history["loss"])
    if epochs == 2:
        fit(model, epochs=2)  # the steps that the others are waiting for
    ran = env.strategy.run(tf.function(lambda: tf.constant(float(epochs))))
    return {"epochs, all workers": np.array(env.strategy.reduce("SUM", ran, axis=None))}


@CASES.add("`ReduceLROnPlateau`")
def reduce_on_plateau(env: Env) -> Result:
    reduce = env.keras.callbacks.ReduceLROnPlateau("loss", patience=1, min_delta=0.2, factor=0.5)
    model = compiled(env)
    fit(model, epochs=3, callbacks=[reduce])
    return {**weights(model), "rate": np.array(model.optimizer.learning_rate)}


@CASES.add("`LearningRateScheduler`")
def learning_rate_scheduler(env: Env) -> Result:
    schedule = env.keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate / (1 + epoch))
    model = compiled(env)
    fit(model, epochs=2, callbacks=[schedule])
    return {**weights(model), "rate": np.array(model.optimizer.learning_rate)}


@CASES.add("`model.save` to one path, `load_model`, train on", keras=(3,))
def save_to_one_path(env: Env) -> Result:
    return _saved(env, env.directory / "model.keras")


@CASES.add(
    "`model.save` to one path, `load_model`, train on",
    Promise.AS_IS,
    keras=(2,),
    reference=lambda env: {"written in place": np.array(1.0)},
    note="Keras 2: every worker writes in place, so give each worker its own path",
)
def save_in_place(env: Env) -> Result:
    path = env.directory / "model.keras"
    model = compiled(env)
    if env.index == 0:
        path.touch()
    barrier(env)
    before = path.stat()
    if env.index == env.replicas - 1:
        model.save(str(path))
    barrier(env)
    after = path.stat()
    return {
        "written in place": np.array(float(after.st_ino == before.st_ino and after.st_size > 0))
    }


@CASES.add("`model.save` to a path for each worker, `load_model`, train on")
def save_to_own_path(env: Env) -> Result:
    directory = env.directory / f"worker{env.index}"
    directory.mkdir(exist_ok=True)
    return _saved(env, directory / "model.keras")


def _saved(env: Env, path: Path) -> Result:
    model = compiled(env, lambda: env.keras.optimizers.Adam(0.01), metrics=["accuracy"])
    fit(model)
    for _ in range(3):
        model.save(str(path))
    barrier(env)
    with env.scope():
        again = env.keras.models.load_model(str(path))
    fit(again)
    names = left_behind(env, path.parent)
    return {**weights(again), **names}


@CASES.add("`export`, `save(zipped=False)` and sharded weights to one path", keras=(3,))
def save_many_files(env: Env) -> Result:
    model = compiled(env)
    fit(model)
    saved, shards = env.directory / "saved", env.directory / "shards.weights.json"
    exported = env.directory / "new" / "exported"
    model.save(str(saved), zipped=False)  # once: Keras cannot do it twice in one process
    for _ in range(5):
        model.save_weights(str(shards), max_shard_size=2e-7)
        model.export(str(exported), verbose=False)
        again = tf.saved_model.load(str(exported))  # while the others may still be writing
    answer = np.array(again.serve(arrays()[0]))
    barrier(env)
    other = compiled(env)
    other.load_weights(str(shards))
    with env.scope():
        loaded = env.keras.models.load_model(str(saved))
    same = {f"loaded {name}": value for name, value in weights(loaded).items()}
    return {**weights(other), **same, "answer": answer, **left_behind(env, env.directory)}


@CASES.add("`tf.train.Checkpoint`")
def tf_checkpoint(env: Env) -> Result:
    model = compiled(env, lambda: env.keras.optimizers.Adam(0.01))
    fit(model)
    saved = weights(model)
    path = str(env.directory / f"worker{env.index}" / "checkpoint")
    written = tf.train.Checkpoint(model=model).write(path)
    fit(model)
    tf.train.Checkpoint(model=model).read(written)
    return {name: np.stack([value, saved[name]]) for name, value in weights(model).items()}


ROW = "`tf.train.Checkpoint.save` to one path"


@CASES.add(ROW, keras=(3,))
def tf_checkpoint_to_one_path(env: Env) -> Result:
    model = compiled(env, lambda: env.keras.optimizers.Adam(0.01))
    fit(model)
    saved = weights(model)
    checkpoint = tf.train.Checkpoint(model=model)
    manager = tf.train.CheckpointManager(checkpoint, str(env.directory / "managed"), 2)
    for _ in range(10):
        written = checkpoint.save(str(env.directory / "saved"))
        manager.save()
    files = left_behind(env, env.directory)
    fit(model)
    found: Result = dict(files)
    for path in (written, manager.latest_checkpoint):
        checkpoint.restore(path)
        found.update({f"{path[-6:]} {name}": value for name, value in weights(model).items()})
        assert all(np.array_equal(value, saved[name]) for name, value in weights(model).items())
    return found


@CASES.add(
    ROW,
    Promise.AS_IS,
    keras=(2,),
    reference=lambda env: {"one temporary name": np.array(1.0)},
    note="Keras 2: all workers use the same temporary names, so give each worker its own path",
)
def tf_checkpoint_to_one_path_2(env: Env) -> Result:
    (env.directory / "saved_temp").touch()  # where a checkpoint's parts would be written
    model = compiled(env)
    try:
        tf.train.Checkpoint(model=model).write(str(env.directory / "saved"))
    except tf.errors.OpError:
        return {"one temporary name": np.array(1.0)}
    return {"one temporary name": np.array(0.0)}
