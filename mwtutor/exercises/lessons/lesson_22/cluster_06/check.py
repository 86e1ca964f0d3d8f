"""22-06: trained together, but not equal."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_06.py"


def fault(seen: Seen) -> str:
    weights, mean = seen.last("weight"), sum(seen.own()) / 2
    if not alike(*weights):
        return f"The workers end with different weights, {weights[0]} and {weights[1]}."
    if alike(weights[0], -2 * mean):
        return "The weight moved twice as far as the mean of the two gradients."
    return "" if alike(weights[0], -mean) else f"The weight is {weights[0]}, not {-mean}."


check = cluster(
    __file__, fault, "Both workers have the same weight, moved by the mean of the two gradients."
)
