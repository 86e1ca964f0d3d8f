"""00-3: choose a strategy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong

MIRRORED = "MirroredStrategy"
MULTI = "MultiWorkerMirroredStrategy"
PS = "ParameterServerStrategy"
TPU = "TPUStrategy"
CENTRAL = "CentralStorageStrategy"
MODEL = "model parallelism"

_BEST = {
    "one machine, 4 equal GPUs": MIRRORED,
    "8 equal machines, fast network": MULTI,
    "20 unequal machines that come and go": PS,
    "a Cloud TPU": TPU,
    "a model larger than any GPU": MODEL,
}
_FOUR, _EIGHT, _UNEQUAL, _CLOUD, _LARGE = _BEST

#: Why a choice does not fit a situation: by situation and choice, then by situation alone.
_WHY = {
    (_FOUR, MULTI): "it connects machines, and there is only one",
    (_FOUR, PS): "it trains asynchronously, on stale weights, although 4 equal GPUs in one machine"
    " hardly wait for each other",
    (_FOUR, CENTRAL): "all variables would be on the CPU, and every step would carry them to each"
    " GPU, although the model fits on each",
    (_FOUR, MODEL): "the model fits on one GPU, and if it is split, one part waits for another",
    (_EIGHT, MIRRORED): "it uses the GPUs of one machine, and the other 7 machines would be idle",
    (_EIGHT, CENTRAL): "it keeps the variables in one machine's memory, and uses only that machine",
    (_EIGHT, PS): "its gradients are stale, although these equal machines hardly wait for each"
    " other",
    (_EIGHT, MODEL): "the model fits on each GPU, so it is enough to split the data",
    (_UNEQUAL, MULTI): "every step waits for the slowest of 20 unequal machines, and one that"
    " disappears stops all of them",
    (_UNEQUAL, MIRRORED): "it uses only one of the 20 machines",
    (_UNEQUAL, CENTRAL): "it uses only one of the 20 machines",
    (_UNEQUAL, MODEL): "each part of the model waits for the others, and if one machine disappears,"
    " all of them stop",
    (_CLOUD, MIRRORED): "it looks for GPUs, and the cores of a TPU have to be found and initialized"
    " first",
    (
        _CLOUD,
        MULTI,
    ): "it is for CPUs and GPUs, and a TPU has its own network and its own all-reduce",
    (_LARGE, MIRRORED): "data parallelism puts the whole model on each device, and none of them"
    " can hold it",
    (
        _LARGE,
        MULTI,
    ): "data parallelism puts the whole model on each device, on any number of machines",
    (_LARGE, PS): "parameter servers can store the variables in parts, but each worker still"
    " computes the whole model",
    (_LARGE, CENTRAL): "the variables may be on the CPU, but each GPU still computes the whole"
    " model",
}
_WHY_ANY = {
    _FOUR: "this is not a TPU",
    _EIGHT: "these are not TPUs",
    _UNEQUAL: "these are not TPUs",
    _CLOUD: "it does not use a TPU, on which each core holds a copy of the whole model",
    _LARGE: "this is not a TPU, and the whole model would be on each device",
}


def _is_left_out(chosen: Any) -> bool:
    return chosen is None or chosen is Ellipsis


def check(work: Work) -> Verdict:
    choice = work.value("choice")
    if not isinstance(choice, Mapping):
        return not_yet("There is no dictionary named choice.")
    given = {situation: choice.get(situation) for situation in _BEST}
    if all(map(_is_left_out, given.values())):
        if others := [situation for situation in choice if situation not in _BEST]:
            return wrong(f"choice has {others[0]!r:.60}, which is not one of the five situations.")
        return not_yet("Nothing has been chosen.")
    problems = []
    for situation, chosen in given.items():
        if _is_left_out(chosen):
            problems.append(f"{situation}: nothing has been chosen.")
        elif not isinstance(chosen, str) or chosen not in {*_BEST.values(), CENTRAL}:
            problems.append(f"{situation}: {chosen!r:.60} is not one of the six names.")
        elif chosen != _BEST[situation]:
            why = _WHY.get((situation, chosen), _WHY_ANY[situation])
            problems.append(f"{situation}: {chosen} does not fit, because {why}.")
    if problems:
        fits = len(given) - len(problems)
        return wrong(" ".join([f"{fits} of {len(given)} choices fit.", *problems]))
    return right("All 5 choices fit.")
