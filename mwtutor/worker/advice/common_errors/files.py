"""Errors when several workers use one file, or when a file comes from a different model."""

from __future__ import annotations

from mwtutor.worker.advice.row import Row

ROWS = (
    Row(
        "BadZipFile|BadZipfile",
        r"",
        "The file is not a complete zip archive, as .keras and .npz files are; another worker "
        "may still be writing it.",
        "Give each worker its own path, as mwtutor.write_filepath does.",
    ),
    Row(
        "NotFoundError|InvalidArgumentError",
        r"(?s)_temp/part-\d{5}-of-\d{5}.*(?:No such file|not found|did not exist)",
        "Two processes saved to the same path at the same time, and one moved the other's files"
        " away.",
        "Give each worker its own path, as mwtutor.write_filepath does.",
    ),
    Row(
        "BlockingIOError|OSError",
        r"unable to lock file",
        "The HDF5 file is already open, in another worker or in this one.",
        "Give each worker its own path, as mwtutor.write_filepath does, also for ModelCheckpoint "
        "and BackupAndRestore.",
    ),
    Row(
        "FailedPreconditionError",
        r"; Directory not empty",
        "The directory was being deleted while something was still writing to it, for example"
        " because two workers use BackupAndRestore with one path.",
        "Give each worker its own directory.",
    ),
    Row(
        "ValueError",
        r"To use the BackupAndRestore callback, you model must be built",
        "BackupAndRestore reads its backup into variables, but the model has none yet.",
        "Begin the model with tf.keras.Input and the shape of a row.",
    ),
    Row(
        "ValueError",
        r"A total of \d+ objects could not be loaded"
        r"|Received incompatible tensor with shape .* when attempting to restore variable",
        "The file was saved from a different model, whose layers have different shapes.",
        "Load it into the same model; if it is the backup of an interrupted run, give"
        " BackupAndRestore another directory.",
    ),
)
