"""Every row of the parity table."""

from __future__ import annotations

from tests.parity.case import Case
from tests.parity.cases import consistent, data, files, models, optimizers, refused

ALL: tuple[Case, ...] = tuple(
    case
    for room in (data, models, optimizers, consistent, files, refused)
    for case in room.CASES.cases
)


def cases_for(keras: int, workers: int) -> list[Case]:
    return [case for case in ALL if keras in case.promise and workers in case.workers]
