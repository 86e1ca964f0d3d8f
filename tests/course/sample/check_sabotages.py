"""Faults that the check cell of the sample lesson must notice."""

from tests.course.sabotage import CheckSabotage

CHECK_SABOTAGES = (
    CheckSabotage(
        why="both workers count all rows",
        check="check-count",
        cell="count-py",
        old="rows[index::2]",
        new="rows",
        needs=("launch-count",),
    ),
    CheckSabotage(
        why="one of the workers is never started",
        check="check-count",
        cell="launch-count",
        old="%mw_launch 2",
        new="%mw_launch 1",
        needs=("count-py",),
    ),
)
