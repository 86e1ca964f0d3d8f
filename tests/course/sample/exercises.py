"""Two exercises: a function that the learner writes, and a program that two workers execute."""

from mwtutor.exercises import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong

ROWS = 10
ALL = sum(range(ROWS))


def check_average(work: Work) -> Verdict:
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


def check_share(work: Work) -> Verdict:
    run = work.run("share")
    if run is None or run.outcome is None:
        return not_yet("Nothing has run yet.")
    if not run.outcome.ok:
        return wrong(f"share.py {run.outcome.status}: {run.outcome.reason}.")
    totals = [values[-1][1] for values in run.history("total").values()]
    if not any(totals):
        return not_yet("The workers have taken no rows yet.")
    if len(totals) == 2 and sum(totals) == ALL and all(totals):
        return right(f"The shares add up to {totals[0]:g} and {totals[1]:g}, together {ALL}.")
    if ALL in totals and len(set(totals)) == 1:
        return wrong(f"Every worker has taken all rows: together {sum(totals):g}, not {ALL}.")
    if len(set(totals)) == 1:
        return wrong(f"The workers have taken the same rows: each adds up to {totals[0]:g}.")
    return wrong(f"Together the shares add up to {sum(totals):g}, not {ALL}.")


_SHARE = """%%writefile share.py
import json
import os

import mwtutor

index = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
rows = list(range(10))
mine = {mine}
mwtutor.report(1, total=sum(mine))
"""

EXERCISES = (
    Exercise(
        id="sample-1",
        title="The mean of means",
        task="Write `average(means, rows)`: the mean over all rows, from each worker's mean.",
        stub="def average(means, rows):\n    ...",
        check=check_average,
        hints=(
            "What would one process compute that had all the rows?",
            "Turn each mean back into the sum that it came from.",
        ),
        solution="def average(means, rows):\n"
        "    return sum(mean * count for mean, count in zip(means, rows)) / sum(rows)",
        reasoning="A mean forgets how many rows it is of. Multiplied by their number it is a sum"
        " again, and sums can be added. Without the weights a worker with few rows would count too"
        " much.",
        sabotages=(
            Sabotage(
                "a mean of means is the mean",
                "def average(means, rows):\n    return sum(means) / len(means)",
                says="both workers count the same",
            ),
            Sabotage(
                "all-reduce sums, and that is all",
                "def average(means, rows):\n    return sum(m * n for m, n in zip(means, rows))",
                says="that is a sum",
            ),
        ),
    ),
    Exercise(
        id="sample-2",
        title="A share for each worker",
        task="Let each worker take its own half of the rows, and report their total.",
        stub=_SHARE.format(mine="[]  # this worker's share of the rows"),
        check=check_share,
        hints=("`index` is 0 on one worker and 1 on the other.", "A slice may have a step."),
        solution=_SHARE.format(mine="rows[index::2]"),
        reasoning="The program is the same on both workers; only `TF_CONFIG` differs. Starting at"
        " `index` and taking every second row gives each its own half.",
        sabotages=(
            Sabotage(
                "the cluster shares out what each worker reads",
                _SHARE.format(mine="rows"),
                says="Every worker has taken all rows",
            ),
            Sabotage(
                "the program runs on one worker after the other",
                _SHARE.format(mine="rows[:5]"),
                says="the same rows",
            ),
        ),
        hard=True,
    ),
)
