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
            words = f"Weight {at} and its rests add up to {there}, {how}"
            return f"{words}: the gradients add up to {wanted}."
    if not any(map(any, rests)):
        return "The workers have no rests: in the last step, they sent more than one number."
    for task, rest in enumerate(rests):
        wanted = _rest(own[task])
        if wanted and not alike(rest, wanted):
            return (
                f"worker:{task} keeps {rest}. If it sent the largest number in each step, and only"
                f" that, it would keep {wanted}."
            )
    return ""


def _rest(gradient: list[float]) -> list[float] | None:
    """What a worker keeps; None if several numbers were the largest in a step."""
    rest = [0.0] * 4
    for _ in range(8):
        change = [one + kept for one, kept in zip(gradient, rest, strict=True)]
        top = max(change)
        if change.count(top) > 1:
            return None
        rest = [0.0 if one == top else one for one in change]
    return rest


check = cluster(__file__, fault, "Weights and rests add up to all gradients.")
