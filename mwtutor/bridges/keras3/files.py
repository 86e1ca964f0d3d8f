"""Let several workers save to one path without damaging its files or waiting for each other."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

import tensorflow as tf
from keras.src.backend.tensorflow.export import TFExportArchive
from keras.src.export.saved_model import ExportArchive

from mwtutor import scratch
from mwtutor.bridges.keras3.patching import Function, Patch, row_passes
from mwtutor.bridges.keras3.paths import is_anothers
from mwtutor.bridges.keras3.servers.trainer import settle
from mwtutor.bridges.keras3.strategies import strategy_of, workers_in_this_process

_ISSUE = "https://github.com/tensorflow/tensorflow/issues/38635"

#: Suffixes of single files, for which Keras does not create the directory.
_ONE_FILE = (".keras", ".h5", ".hdf5", ".json", ".onnx", ".tflite", ".xml")

#: Files that refer to others: the ``.pb`` file of a SavedModel, the map of sharded weights, the
#: index of a checkpoint.
_TELLING = (".json", ".pb", ".index")


def one_worker_only(original: Function) -> Function:
    """Call the method only in the worker that writes."""

    def hook(self: Any, *args: Any, **kwargs: Any) -> None:
        if not is_anothers(self):
            original(self, *args, **kwargs)

    return hook


def _set_model(original: Function) -> Function:
    def set_model(self: Any, model: Any) -> None:
        self._model = model
        if not is_anothers(self):
            original(self, model)

    return set_model


def _checkpoint(original: Function) -> Function:
    def _save_model(self: Any, epoch: int, batch: int | None, logs: Any) -> None:
        if not is_anothers(self):
            original(self, epoch, batch, logs)
            return
        # The other workers still track the best value, for code that reads it afterwards.
        self.verbose = 0
        self._should_save_model(epoch, batch, logs, self._get_file_path(epoch, batch, logs))

    return _save_model


def _save(original: Function) -> Function:
    """Write next to the target, then rename: workers that save to one path cannot mix their bytes.

    Their models are equal, so it does not matter which worker writes last. The chief cannot simply
    save for all of them: a program may give each worker its own path, as TensorFlow's tutorial
    does.
    """

    def save(model: Any, filepath: Any, *args: Any, **kwargs: Any) -> Any:
        if strategy_of(model) is None or not _is_local(filepath):
            settle(model)
            return original(model, filepath, *args, **kwargs)
        target = Path(os.path.abspath(filepath))
        if target.suffix not in _ONE_FILE:
            target.parent.mkdir(parents=True, exist_ok=True)
        with scratch.directory(f".{target.name}.", target.parent) as own:
            with _shown(own, target.parent):
                result = original(model, os.path.join(own, target.name), *args, **kwargs)
            _move(Path(own), target.parent)
        return result

    return save


def _save_checkpoint(original: Function) -> Function:
    """Like ``_save``, for ``tf.train.Checkpoint``, which has no strategy."""

    def save(saver: Any, file_prefix: Any, *args: Any, **kwargs: Any) -> Any:
        alone = workers_in_this_process() < 2 or not tf.executing_eagerly()
        if alone or not _is_local(file_prefix):
            return original(saver, file_prefix, *args, **kwargs)
        target = Path(os.path.abspath(file_prefix))
        target.parent.mkdir(parents=True, exist_ok=True)
        with scratch.directory(f".{target.name}.", target.parent) as own:
            original(saver, os.path.join(own, target.name), *args, **kwargs)
            _move(Path(own), target.parent)
        return tf.constant(os.fspath(file_prefix))

    return save


def _is_local(filepath: Any) -> bool:
    return isinstance(filepath, (str, Path)) and "://" not in str(filepath)


@contextmanager
def _shown(own: str, parent: Path) -> Iterator[None]:
    """Pass on the output of ``export``, with the path that the program requested."""
    said = io.StringIO()
    try:
        with redirect_stdout(said):
            yield
    finally:
        print(said.getvalue().replace(own, str(parent)), end="")


def _move(source: Path, target: Path) -> None:
    """Move the files one by one, because an existing directory may contain other files.

    Files that refer to others come last, because a reader opens them first.
    """
    made = (path for path in source.rglob("*") if path != source / scratch.MARK)
    found = sorted((p.is_file(), p.suffix in _TELLING, p) for p in made)
    for is_file, _, path in found:
        place = target / path.relative_to(source)
        if is_file:
            os.replace(path, place)
        else:
            place.mkdir(exist_ok=True)


def _filter_and_track(original: Function) -> Function:
    """Name the variables in the model's order: TensorFlow's own order differs between processes.

    The files that workers export are then equal, so it does not matter which of them a reader
    finds.
    """

    def _filter_and_track_resources(self: Any) -> None:
        original(self)
        strategies = list(filter(None, map(strategy_of, getattr(self, "_tracked", ()))))
        if strategies:
            tracked = self._tf_trackable
            local = [strategies[0].experimental_local_results(v.value) for v in tracked.variables]
            order = {id(part): i for i, parts in enumerate(local) for part in parts}
            tracked._all_variables = sorted(
                tracked._all_variables, key=lambda v: (order.get(id(v), len(order)), v.name)
            )

    return _filter_and_track_resources


def _archive() -> str:
    """The class that exports models; up to Keras 3.13, it is not the one in the backend."""
    own = "_filter_and_track_resources"
    found = TFExportArchive if hasattr(TFExportArchive, own) else ExportArchive
    return f"{found.__module__}:{found.__name__}"


def callback_patch(name: str, hook: str, wrap: Any, row: str) -> Patch:
    """A patch of a callback's method, because every worker would write to the same path."""
    module = {
        "BackupAndRestore": "backup_and_restore",
        "ModelCheckpoint": "model_checkpoint",
        "CSVLogger": "csv_logger",
        "TensorBoard": "tensorboard",
    }[name]
    return Patch(
        f"keras.src.callbacks.{module}:{name}",
        hook,
        wrap,
        why="every worker writes to the same path, at the same time",
        issue=_ISSUE,
        until=row_passes(row),
    )


def _writer(where: str, name: str, row: str = "model.save") -> Patch:
    return Patch(
        where,
        name,
        _save,
        why="workers that save to one path write into each other's files",
        issue=_ISSUE,
        until=row_passes(row),
    )


_TENSORBOARD_HOOKS = (
    "on_train_begin",
    "on_train_end",
    "on_test_begin",
    "on_test_end",
    "on_train_batch_begin",
    "on_train_batch_end",
    "on_test_batch_begin",
    "on_epoch_begin",
    "on_epoch_end",
)

PATCHES = (
    callback_patch("ModelCheckpoint", "_save_model", _checkpoint, "ModelCheckpoint"),
    callback_patch("CSVLogger", "on_train_begin", one_worker_only, "CSVLogger"),
    callback_patch("CSVLogger", "on_epoch_end", one_worker_only, "CSVLogger"),
    callback_patch("CSVLogger", "on_train_end", one_worker_only, "CSVLogger"),
    callback_patch("TensorBoard", "set_model", _set_model, "TensorBoard"),
    *(
        callback_patch("TensorBoard", hook, one_worker_only, "TensorBoard")
        for hook in _TENSORBOARD_HOOKS
    ),
    _writer("keras.src.saving.saving_lib", "save_model"),
    _writer("keras.src.saving.saving_lib", "save_weights_only"),
    _writer("keras.src.legacy.saving.legacy_h5_format", "save_model_to_hdf5"),
    _writer("keras.src.models.model:Model", "export", "export, save(zipped=False)"),
    Patch(
        "tensorflow.python.checkpoint.checkpoint:TrackableSaver",
        "save",
        _save_checkpoint,
        why="workers that save a tf.train.Checkpoint to one path remove each other's files",
        issue=_ISSUE,
        until=row_passes("tf.train.Checkpoint.save to one path"),
    ),
    Patch(
        _archive(),
        "_filter_and_track_resources",
        _filter_and_track,
        why="names variables in an order that differs between processes, so the files that "
        "workers export to one path do not fit together",
        issue=_ISSUE,
        until=row_passes("export, save(zipped=False)"),
    ),
)
