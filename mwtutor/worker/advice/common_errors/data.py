"""Errors of datasets, sharded, distributed or exhausted."""

from __future__ import annotations

import importlib
import re
import traceback

from mwtutor.worker.advice.row import Row


def _is_transformation(error: BaseException, match: re.Match[str]) -> bool:
    return hasattr(importlib.import_module("tensorflow").data.Dataset, match["name"])


def _is_of_batches(error: BaseException, match: re.Match[str]) -> bool:
    """Whether TensorFlow was determining the size of a batch."""
    frames = traceback.extract_tb(error.__traceback__)
    return any(frame.name == "compute_batch_size" for frame in frames)


def _is_of_a_dataset(error: BaseException, match: re.Match[str]) -> bool:
    """Whether a TensorFlow iterator has ended."""
    frames = traceback.extract_tb(error.__traceback__)
    return type(error).__name__ == "OutOfRangeError" or any(
        "/tensorflow/python/" in frame.filename for frame in frames[-1:]
    )


def _is_of_steps(error: BaseException, match: re.Match[str]) -> bool:
    """Whether Keras raised the error in a call with a number of steps."""
    frames = traceback.extract_tb(error.__traceback__)
    return "/keras/src/" in frames[-1].filename and any(
        re.search(r"\bsteps(?:_per_epoch)?=|_steps=", frame.line or "") for frame in frames
    )


ROWS = (
    Row(
        "NotFoundError",
        r"Found an unshardable source dataset",
        "A dataset that is not read from files cannot be sharded by file.",
        "Set its option experimental_distribute.auto_shard_policy to AutoShardPolicy.DATA.",
    ),
    Row(
        "ValueError",
        r"When providing an infinite dataset, you must specify the number of steps"
        r"|When passing an infinitely repeating dataset, please specify",
        "The dataset repeats forever, but no number of steps was given.",
        "Set steps_per_epoch, validation_steps or steps to the number of batches to take, or leave"
        " out repeat().",
    ),
    Row(
        "TypeError",
        r"'float' object cannot be interpreted as an integer",
        "Keras 3 expects a whole number of steps, but got a float.",
        "Write // in place of / where steps_per_epoch, validation_steps or steps are computed.",
        applies=_is_of_steps,
    ),
    Row(
        "InvalidArgumentError",
        r"Could not apply FILE based sharding",
        "There are fewer files than workers: a worker that has a file raises this error, and one"
        " without a file waits for it.",
        "Write at least one file for each worker, or set the dataset's option"
        " experimental_distribute.auto_shard_policy to AutoShardPolicy.DATA.",
    ),
    Row(
        "AttributeError",
        r"'Distributed(?:Dataset|DatasetsFromFunction)' object has no attribute '(?P<name>\w+)'",
        "A distributed dataset no longer has {name}.",
        "Call {name} before the dataset is distributed.",
        applies=_is_transformation,
    ),
    Row(
        "ValueError",
        r"The `global_batch_size` \d+ is not divisible by `num_replicas_in_sync` (?P<replicas>\d+)",
        "The global batch cannot be divided equally among {replicas} replicas.",
        "Choose a multiple of {replicas}.",
    ),
    Row(
        "IndexError",
        r"list index out of range",
        "The dataset has no batches to split among replicas.",
        "Call batch, with the global batch size, before the dataset is distributed.",
        applies=_is_of_batches,
    ),
    Row(
        "OutOfRangeError|StopIteration",
        r"End of sequence|\AStopIteration",
        "The dataset has ended, but the program asked for another batch.",
        "Take no more steps than the worker with the fewest batches has, or repeat the dataset.",
        applies=_is_of_a_dataset,
    ),
)
