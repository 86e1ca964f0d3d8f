"""22-26: only one of four weights moves."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_26.py"


def fault(seen: Seen) -> str:
    own, rests, weights = seen.all("own"), seen.last("rest"), seen.last("weights")
    if not alike(*weights):
        return "The workers have different weights."
    for at in range(4):
        wanted = 8 * (own[0][at] + own[1][at])
        there = weights[0][at] + rests[0][at] + rests[1][at]
        if not alike(there, wanted):
            how = "too much" if there > wanted else "too little"
            return f"Weight {at} and its rests have {there}, {how}: the gradients have {wanted}."
    if not any(map(any, rests)):
        return "The workers have no rests: in each step, they sent more than one number."
    return ""


check = cluster(__file__, fault, "Weights and rests together are all gradients.")
