# == right: NumPy's numbers
import numpy as np


def _of(values, me, place):
    if place == "scope":
        return "error"
    return sum(values) if place == "replica" else values[me]


def all_reduced(values, me, place):
    return np.asarray(_of(values, me, place))[()]


# == wrong: a constant
def all_reduced(values, me, place):
    return 7


# == wrong: one case only
def all_reduced(values, me, place):
    if (
        values,
        me,
        place,
    ) == (
        [3, 4],
        1,
        "replica",
    ):
        return 7
    return 0


# == wrong: ignores place
def _of(values, me, place):
    if place == "scope":
        return "error"
    return sum(values) if place == "replica" else values[me]


def all_reduced(values, me, place):
    place = "replica"
    return _of(values, me, place)


# == wrong: ignores me
def _of(values, me, place):
    if place == "scope":
        return "error"
    return sum(values) if place == "replica" else values[me]


def all_reduced(values, me, place):
    me = 0
    return _of(values, me, place)


# == right: a dictionary
def all_reduced(values, me, place):
    return {"outside": values[me], "replica": float(sum(values))}.get(place, "error")


# == right: NumPy's sum
import numpy as np


def all_reduced(values, me, place):
    if place == "replica":
        return np.sum(values)
    return values[me] if place == "outside" else "error"


# == wrong: always the own value
def all_reduced(values, me, place):
    return values[me]


# == wrong: two replicas
def all_reduced(values, me, place):
    return {"scope": "error", "outside": values[me]}.get(place, values[0] + values[1])
