"""``BackupAndRestore`` on several workers: one writes the backup, all continue from the same."""

from __future__ import annotations

from typing import Any

from mwtutor.bridges.keras3.all_gather import all_gather
from mwtutor.bridges.keras3.files import callback_patch, one_worker_only
from mwtutor.bridges.keras3.patching import Function
from mwtutor.bridges.keras3.strategies import strategy_of
from mwtutor.exceptions import NotSupported


def _restore(original: Function) -> Function:
    def on_train_begin(self: Any, logs: Any = None) -> None:
        original(self, logs)
        strategy = strategy_of(self.model)
        if strategy is not None:
            _agree_on_epoch(self, strategy)

    return on_train_begin


def _agree_on_epoch(callback: Any, strategy: Any) -> None:
    """Make sure that all workers found the same backup.

    This is also a barrier: the chief cannot overwrite a file that a slower worker is still reading.
    """
    epochs = all_gather(strategy, [callback.model._initial_epoch or 0])
    if epochs.count(epochs[0]) < len(epochs):
        raise NotSupported(
            f"The workers found different backups in '{callback.backup_dir}'.",
            "Give BackupAndRestore a directory that all workers share.",
        )


PATCHES = (
    callback_patch("BackupAndRestore", "_save_model", one_worker_only, "BackupAndRestore"),
    callback_patch("BackupAndRestore", "on_train_begin", _restore, "BackupAndRestore"),
    callback_patch("BackupAndRestore", "on_train_end", one_worker_only, "BackupAndRestore"),
)
