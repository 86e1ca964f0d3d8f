"""22-22: infinite in 16 bits."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_22.py"


def fault(seen: Seen) -> str:
    kinds = {one.dtype for one in seen.exchanges}
    if kinds != {"float16"}:
        return f"The workers exchanged {' and '.join(sorted(kinds)) or 'nothing'}, not float16."
    mean = 40000 + sum(seen.own()) / 2
    means = seen.last("mean")
    if not alike(*means):
        return f"The workers noted different means, {means[0]} and {means[1]}."
    if all(abs(one - mean) < 50 for one in means):
        return ""
    return f"The mean is {mean}; the workers noted {means[0]} and {means[1]}."


check = cluster(__file__, fault, "The mean is right, and the workers exchanged float16.")
