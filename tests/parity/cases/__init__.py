"""Every row of the parity table."""

from __future__ import annotations

from tests.parity.case import Case
from tests.parity.later import imported_when_used

with imported_when_used("tensorflow"):
    from tests.parity.cases import consistent, data, files, losses, models, optimizers, refused

ALL: tuple[Case, ...] = tuple(
    case
    for room in (data, models, losses, optimizers, consistent, files, refused)
    for case in room.CASES.cases
)


def cases_for(keras: tuple[int, int], workers: int) -> list[Case]:
    """The cases of a version of Keras, (major, minor), and a size of cluster."""
    return [case for case in ALL if case.runs_on(keras) and workers in case.workers]
