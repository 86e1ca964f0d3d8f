"""The order of the tests, and which of them stay in one process of ``pytest -n``.

Long tests come first, so that no process is left working alone at the end. Tests that share a
cluster, a session or a kernel stay together. So do the tests of a file; but lessons share nothing
with each other, and neither do the rows of the two Keras versions.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

#: Files whose tests may run in different processes.
_APART = (
    *(f"tests/course/test_{how}.py" for how in ("untouched", "unchanged", "solved")),
    "tests/e2e/test_by_hand.py",
    "tests/e2e/test_targets.py",
)

#: The files with the longest tests, in order; all others come after these.
_LONG = (
    "tests/parity",
    "tests/bridges/test_estimator.py",
    "tests/course/test_solved.py",
    "tests/course/test_untouched.py",
    "tests/course",
    "tests/bridges",
    "tests/e2e/test_by_hand.py",
    "tests/e2e/test_cli.py",
    "tests/e2e/test_targets.py",
    "tests/e2e/test_session",
    "tests/e2e/test_stop.py",
    "tests/e2e/test_kernel.py",
    "tests/e2e/test_machines.py",
    "tests/e2e",
)

#: The version of Keras in the name of a parity test; a name without one means 3.
_KERAS = re.compile(r"keras_?(\d)")


def sort(items: list[pytest.Item]) -> None:
    """Move the longest tests to the front; the tests of a file stay in their order."""
    items.sort(key=lambda item: _rank(item.nodeid))


def _rank(nodeid: str) -> int:
    ranks = (rank for rank, start in enumerate(_LONG) if nodeid.startswith(start))
    return next(ranks, len(_LONG))


def shared(nodeid: str) -> str:
    """The key that a test shares with the tests that must run in the same process."""
    file, _, test = nodeid.partition("::")
    if file in _APART:
        return nodeid
    if file.startswith("tests/parity"):
        keras = _KERAS.search(test)
        return f"{file} {keras[1] if keras else 3}"
    return file


class Scheduling(LoadScopeScheduling):
    """Gives each process the next tests that share something, in the order of :func:`sort`."""

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # this would put the longest files first

    def _split_scope(self, nodeid: str) -> str:
        return shared(nodeid)
