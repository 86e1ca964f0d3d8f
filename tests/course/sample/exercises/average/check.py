"""Check what the learner's function returns for two means."""

from mwtutor.exercises import Verdict, Work, not_yet, right, wrong


def check(work: Work) -> Verdict:
    average = work.value("average")
    if not callable(average):
        return not_yet()
    found = average([1.0, 4.0], [3, 1])
    if found is None:
        return not_yet()
    if found == 1.75:
        return right("A worker with three rows counts three times as much as one with one row.")
    if found == 2.5:
        return wrong(
            "For means of 1.0 and 4.0 over 3 rows and 1 row it gives 2.5: both workers count the"
            " same, whatever they have read."
        )
    if found == 7.0:
        return wrong("For means of 1.0 and 4.0 over 3 rows and 1 row it gives 7.0: that is a sum.")
    return wrong(f"For means of 1.0 and 4.0 over 3 rows and 1 row it gives {found!r:.80}.")
