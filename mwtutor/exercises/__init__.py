"""Exercises of a course: the tasks, and the checks of whether they are done.

>>> mwtutor.exercises.workspace("lesson-03")
>>> mwtutor.exercises.check("03-2").verdict.status
'not yet'
"""

from mwtutor.exercises.assertion import NotSolved, require
from mwtutor.exercises.catalogue import load
from mwtutor.exercises.checking import Checked, check
from mwtutor.exercises.exercise import (
    Exercise,
    Sabotage,
    Verdict,
    Work,
    ended,
    not_yet,
    right,
    wrong,
)
from mwtutor.exercises.guidance import Hints, Progress, Score, hint, progress, score, solution
from mwtutor.exercises.left_files import left_by, receive
from mwtutor.exercises.opening import Opened, open_exercise
from mwtutor.exercises.placement import Question, place
from mwtutor.exercises.predictions import Noted, Prediction, outcome, predict
from mwtutor.exercises.records import Record
from mwtutor.exercises.rerun import bring_up
from mwtutor.exercises.workspaces import workspace

__all__ = [
    "Checked",
    "Exercise",
    "Hints",
    "NotSolved",
    "Noted",
    "Opened",
    "Prediction",
    "Progress",
    "Question",
    "Record",
    "Sabotage",
    "Score",
    "Verdict",
    "Work",
    "bring_up",
    "check",
    "ended",
    "hint",
    "left_by",
    "load",
    "not_yet",
    "open_exercise",
    "outcome",
    "place",
    "predict",
    "progress",
    "receive",
    "require",
    "right",
    "score",
    "solution",
    "workspace",
    "wrong",
]
