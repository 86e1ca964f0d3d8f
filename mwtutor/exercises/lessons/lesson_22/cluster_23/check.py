"""22-23: the result comes before the work."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "1 broken_23.py --chief --ps 1"


def fault(seen: Seen) -> str:
    (numbers,), (sums,) = seen.drawn({"chief:0": 20}), seen.all("sum", ("chief:0",))
    if alike(sums[-1], sum(numbers)):
        return ""
    return f"The chief noted {sums[-1]}; the sum of 20 numbers is {sum(numbers)}."


check = cluster(__file__, fault, "The chief noted the sum of all twenty numbers.")
