"""For programs: tell which task is the chief, and let all workers save but keep only one copy.

Saving a model whose variables are mirrored can require a collective (for example, to read a
variable that is summed over the workers), so every worker has to take part. But two workers that
write to one path destroy each other's files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from mwtutor import scratch
from mwtutor.cluster import TaskId, parse_tf_config
from mwtutor.exceptions import BadInput


def is_chief() -> bool:
    """Whether this process does what only one task should do, such as writing files and messages.

    True for the ``chief`` in ``TF_CONFIG``, or ``worker:0`` if there is no chief; for rank 0 in
    ``HOROVOD_RANK``; and for a process that has neither variable and so runs alone.

    Raises:
        BadCluster: ``TF_CONFIG`` cannot be read.
    """
    text = os.environ.get("TF_CONFIG", "")
    if not text.strip():
        return os.environ.get("HOROVOD_RANK", "0") == "0"
    cluster, task = parse_tf_config(text)
    return task == TaskId("chief" if cluster.addresses("chief") else "worker", 0)


@contextmanager
def write_filepath(path: str | os.PathLike[str]) -> Iterator[str]:
    """The path to which this process saves; only the chief gets ``path`` itself.

    The others get a path with the same name, and so the same file type, in a temporary directory
    that is removed afterwards:

    >>> with mwtutor.write_filepath("digits.keras") as path:
    ...     model.save(path)

    Raises:
        BadInput: ``path`` is not a valid path.
        BadCluster: ``TF_CONFIG`` cannot be read.
    """
    try:
        path = os.fsdecode(path)
    except (TypeError, ValueError):
        raise BadInput(f"{path!r} is not a path.", "Write it as a string or a Path.") from None
    if is_chief():
        yield path
        return
    with scratch.directory("mwtutor-") as directory:
        yield os.path.join(directory, os.path.basename(os.path.normpath(path)))
