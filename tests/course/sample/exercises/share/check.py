"""Check what the workers of share.py have reported."""

from mwtutor.exercises import Verdict, Work, not_yet, right, wrong

ALL = sum(range(10))


def check(work: Work) -> Verdict:
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
