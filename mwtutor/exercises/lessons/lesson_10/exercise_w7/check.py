"""10-w7: what really runs."""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "Choices, replacements and refusals are right in all 16 cases."
    return judged(work, __file__, "what_runs", _cases(), done)


def _cases() -> list[Case]:
    names = ("RING", "NCCL", None)
    both = [(program, launch) for program in names for launch in names if program or launch]
    return [(program, launch, gpus) for program, launch in both for gpus in (True, False)]
