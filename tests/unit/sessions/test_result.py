"""The report about a cell that raised: the root error first, and once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mwtutor.cluster import TaskId
from mwtutor.exceptions import CellFailed
from mwtutor.sessions.result import RELEASED, CellError, CellResult

W0, W1, W2 = (TaskId("worker", index) for index in range(3))

NO_DATA = CellError("ValueError", "no data", ("its traceback",), "ValueError: no data", at=10.0)
ABORTED = CellError(
    "InternalError",
    "Graph execution error: ...",
    ("a consequence",),
    "InternalError: Collective ops is aborted by: no data",
    "Another task of the cluster has ended, or cannot be reached.",
    at=12.0,
)


def failure(errors: dict[TaskId, CellError]) -> CellFailed:
    with pytest.raises(CellFailed) as caught:
        CellResult((W0, W1, W2), errors).check()
    return caught.value


def test_a_cell_that_still_runs_somewhere_has_not_succeeded():
    assert CellResult((W0, W1)).ok
    assert not CellResult((W0, W1), running=(W1,)).ok


def test_who_raised_first_is_told_first_with_its_traceback():
    told = failure({W0: ABORTED, W1: NO_DATA})
    assert told.problem == (
        "worker:1 raised first: ValueError: no data."
        " worker:0 raised InternalError: Collective ops is aborted by: no data."
    )
    assert told.traceback == ("its traceback",)
    assert told.remedy == "", "what a consequence means is of no use"


def test_an_error_of_a_collective_may_be_shown_before_its_cause():
    early = CellError("AbortedError", "Collective ops is aborted by: gone", at=9.6)
    told = failure({W0: early, W1: NO_DATA})
    assert told.problem == (
        "worker:1 raised first: ValueError: no data."
        " worker:0 raised AbortedError: Collective ops is aborted by: gone."
    )


def test_what_is_raised_at_once_has_no_first():
    same = CellError("ValueError", "other data", ("another",), at=9.9)
    told = failure({W0: NO_DATA, W1: same})
    assert told.problem == "ValueError on worker:0. worker:1 raised ValueError: other data."
    assert told.traceback == ("its traceback",)


def test_advice_is_told_once_for_equal_errors():
    known = CellError("ValueError", "no", ("t",), advice="Write yes.", at=3.0)
    assert failure({W0: known, W1: known, W2: known}).remedy == "Write yes."


def test_who_waited_in_vain_is_told_with_the_line():
    lost = CellError("AbortedError", RELEASED)
    alone = CellResult((W0, W1), {W0: lost}, (W0,), waited_at="line 3 of cell 7")
    where = "worker:0 waited in a collective, at line 3 of cell 7, for workers that take no part in"
    with pytest.raises(CellFailed, match=where):
        alone.check()
    assert where in replace(alone, errors={}).warning
    both = replace(alone, errors={W0: lost, W1: NO_DATA})
    with pytest.raises(CellFailed, match="waited for it in a collective, at line 3 of cell 7, and"):
        both.check()
    with pytest.raises(CellFailed, match="worker:0 waited in a collective for workers that take"):
        replace(alone, waited_at="").check()
