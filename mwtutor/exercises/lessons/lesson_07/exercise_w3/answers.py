# == right: a tuple
def _of(function, argument, own):
    if not isinstance(argument, tuple):
        argument = [argument] * (max(own) + 1)
    return [function(argument[replica]) for replica in own]


def run_on_worker(function, argument, own):
    return tuple(_of(function, argument, own))


# == right: a generator
def _of(function, argument, own):
    if not isinstance(argument, tuple):
        argument = [argument] * (max(own) + 1)
    return [function(argument[replica]) for replica in own]


def run_on_worker(function, argument, own):
    yield from _of(function, argument, own)


# == right: an array
import numpy as np


def _of(function, argument, own):
    if not isinstance(argument, tuple):
        argument = [argument] * (max(own) + 1)
    return [function(argument[replica]) for replica in own]


def run_on_worker(function, argument, own):
    return np.array(_of(function, argument, own))


# == right: a helper
def part_of(argument, replica):
    return argument[replica] if isinstance(argument, tuple) else argument


def run_on_worker(function, argument, own):
    return [function(part_of(argument, replica)) for replica in own]


# == wrong: without calling the function
def run_on_worker(function, argument, own):
    return [argument[replica] if isinstance(argument, tuple) else argument for replica in own]


# == wrong: tensors only
def run_on_worker(function, argument, own):
    return [function(argument)] * len(own) if not isinstance(argument, tuple) else []


# == wrong: distributed values only
def run_on_worker(function, argument, own):
    return [function(argument[replica]) for replica in own]


# == wrong: one replica on each worker
def run_on_worker(function, argument, own):
    return [function(argument[own[-1]] if isinstance(argument, tuple) else argument)]


# == wrong: one too far
def run_on_worker(function, argument, own):
    return [
        function(argument[replica - 1] if isinstance(argument, tuple) else argument)
        for replica in own
    ]


# == wrong: sums
def run_on_worker(function, argument, own):
    return sum(
        function(argument[replica] if isinstance(argument, tuple) else argument) for replica in own
    )


# == wrong: a list is a distributed value too
def run_on_worker(function, argument, own):
    if isinstance(argument, (tuple, list)):
        return [function(argument[i]) for i in own]
    return [function(argument) for _ in own]
