# == right: a tuple
def _of(copies, values, aggregation):
    if aggregation == "NONE":
        return [copy - value for copy, value in zip(copies, values)]
    change = values[0] if aggregation == "ONLY_FIRST_REPLICA" else sum(values)
    if aggregation == "MEAN":
        change /= len(values)
    return [copy - change for copy in copies]


def assigned(copies, values, aggregation):
    return tuple(_of(copies, values, aggregation))


# == right: an array
import numpy as np


def _of(copies, values, aggregation):
    if aggregation == "NONE":
        return [copy - value for copy, value in zip(copies, values)]
    change = values[0] if aggregation == "ONLY_FIRST_REPLICA" else sum(values)
    if aggregation == "MEAN":
        change /= len(values)
    return [copy - change for copy in copies]


def assigned(copies, values, aggregation):
    return np.array(_of(copies, values, aggregation))


# == wrong: a constant
def assigned(copies, values, aggregation):
    return [7.0, 7.0]


# == wrong: one case only
def assigned(copies, values, aggregation):
    if (
        copies,
        values,
        aggregation,
    ) == (
        [10.0, 10.0],
        [1.0, 2.0],
        "SUM",
    ):
        return [7.0, 7.0]
    return 0


# == wrong: ignores aggregation
def _of(copies, values, aggregation):
    if aggregation == "NONE":
        return [copy - value for copy, value in zip(copies, values)]
    change = values[0] if aggregation == "ONLY_FIRST_REPLICA" else sum(values)
    if aggregation == "MEAN":
        change /= len(values)
    return [copy - change for copy in copies]


def assigned(copies, values, aggregation):
    aggregation = "MEAN"
    return _of(copies, values, aggregation)


# == wrong: ignores aggregation
def _of(copies, values, aggregation):
    if aggregation == "NONE":
        return [copy - value for copy, value in zip(copies, values)]
    change = values[0] if aggregation == "ONLY_FIRST_REPLICA" else sum(values)
    if aggregation == "MEAN":
        change /= len(values)
    return [copy - change for copy in copies]


def assigned(copies, values, aggregation):
    aggregation = "ONLY_FIRST_REPLICA"
    return _of(copies, values, aggregation)


# == right: a dictionary
def assigned(copies, values, aggregation):
    total = sum(values)
    shared = {"SUM": total, "MEAN": total / len(values), "ONLY_FIRST_REPLICA": values[0]}
    return [copy - shared.get(aggregation, own) for copy, own in zip(copies, values)]


# == wrong: assigns
def assigned(copies, values, aggregation):
    return [sum(values)] * len(copies)


# == wrong: adds
def assigned(copies, values, aggregation):
    change = sum(values) / (len(values) if aggregation == "MEAN" else 1)
    return [copy + change for copy in copies]


# == wrong: all copies as the first
def assigned(copies, values, aggregation):
    if aggregation == "NONE":
        return [a - b for a, b in zip(copies, values)]
    t = sum(values)
    c = {"SUM": t, "MEAN": t / len(values), "ONLY_FIRST_REPLICA": values[0]}[aggregation]
    return [copies[0] - c] * len(copies)
