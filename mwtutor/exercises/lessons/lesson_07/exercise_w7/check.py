"""07-w7: one pipeline for each replica."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.row_lists import as_rows

#: How many batches of a pipeline are read at most.
_MOST = 10_000

#: Rows, replicas, and the rows of a replica's batch.
_CASES = ((4, 2, 2), (24, 2, 4), (23, 3, 3), (40, 4, 5), (7, 2, 8))


@dataclass(frozen=True)
class _Context:
    num_input_pipelines: int
    input_pipeline_id: int

    @property
    def num_replicas_in_sync(self) -> int:
        return self.num_input_pipelines

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        if global_batch_size % self.num_replicas_in_sync:
            raise ValueError("The global batch size is not divisible by the number of replicas.")
        return global_batch_size // self.num_replicas_in_sync


def check(work: Work) -> Verdict:
    function = work.value("batches_of")
    if not callable(function):
        return not_yet("There is no function `batches_of`.")
    random = np.random.default_rng()
    for count, replicas, size in _CASES:
        rows = random.choice(10_000, count, replace=False).tolist()
        found = [
            function(list(rows), _Context(replicas, which), size * replicas)
            for which in range(replicas)
        ]
        if all(one is None for one in found):
            return not_yet("`batches_of` returns None.")
        if problem := _problem(list(map(_batches, found)), rows, size):
            return wrong(f"With {count} rows, {replicas} replicas and batches of {size}: {problem}")
    return right("With two to four pipelines, each row is read once, in batches of the right size.")


def _batches(value: Any) -> list[list[int]] | None:
    try:
        batches = [as_rows(one) for one in islice(value, _MOST)]
    except TypeError:
        return None
    return None if None in batches else [one for one in batches if one]


def _problem(found: list[list[list[int]] | None], rows: list[int], size: int) -> str:
    """What is wrong, in a clause; empty if nothing is."""
    pipelines = [one for one in found if one is not None]
    if len(pipelines) < len(found):
        return "a pipeline does not return a list of batches, which are lists of rows."
    read = [[row for batch in one for row in batch] for one in pipelines]
    if strange := [row for one in read for row in one if row not in rows]:
        return f"row {strange[0]} is not one of the given rows."
    if all(sorted(one) == sorted(rows) for one in read):
        return "each pipeline reads all rows."
    if len(rows) > size and read[0] and not any(read[1:]):
        return "only pipeline 0 reads rows."
    largest = max(len(batch) for one in pipelines for batch in one)
    if largest == size * len(pipelines):
        return f"a pipeline takes the global batch, {largest} rows, at a time."
    if largest > size:
        return f"a pipeline takes {largest} rows at a time."
    everything = sorted(row for one in read for row in one)
    if missing := sorted(set(rows) - set(everything)):
        return f"no pipeline reads {len(missing)} of the {len(rows)} rows."
    if len(everything) > len(rows):
        return f"{len(everything)} rows are read, so some are read more than once."
    if any(len(batch) != size for one in pipelines for batch in one[:-1]):
        return f"a batch other than a pipeline's last does not have {size} rows."
    return ""
