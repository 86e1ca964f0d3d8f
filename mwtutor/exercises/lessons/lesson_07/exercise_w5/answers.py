# == right: a tuple
def _of(gathered, lengths, me):
    first = sum(lengths[:me])
    return gathered[first : first + lengths[me]]


def own_part(gathered, lengths, me):
    return tuple(_of(gathered, lengths, me))


# == right: a generator
def _of(gathered, lengths, me):
    first = sum(lengths[:me])
    return gathered[first : first + lengths[me]]


def own_part(gathered, lengths, me):
    yield from _of(gathered, lengths, me)


# == right: an array
import numpy as np


def _of(gathered, lengths, me):
    first = sum(lengths[:me])
    return gathered[first : first + lengths[me]]


def own_part(gathered, lengths, me):
    return np.array(_of(gathered, lengths, me))


# == wrong: a constant
def own_part(gathered, lengths, me):
    return [11, 12]


# == wrong: one case only
def own_part(gathered, lengths, me):
    if (
        gathered,
        lengths,
        me,
    ) == (
        [8, 9, 10, 11, 12],
        [3, 2],
        1,
    ):
        return [11, 12]
    return 0


# == wrong: ignores me
def _of(gathered, lengths, me):
    first = sum(lengths[:me])
    return gathered[first : first + lengths[me]]


def own_part(gathered, lengths, me):
    me = 0
    return _of(gathered, lengths, me)


# == wrong: ignores me
def _of(gathered, lengths, me):
    first = sum(lengths[:me])
    return gathered[first : first + lengths[me]]


def own_part(gathered, lengths, me):
    me = 1 if len(lengths) > 1 else 0
    return _of(gathered, lengths, me)


# == wrong: ignores lengths
def _of(gathered, lengths, me):
    first = sum(lengths[:me])
    return gathered[first : first + lengths[me]]


def own_part(gathered, lengths, me):
    lengths = [3, 2, 0, 0, 0]
    return _of(gathered, lengths, me)


# == right: removes what is before
def own_part(gathered, lengths, me):
    for length in lengths[:me]:
        gathered = gathered[length:]
    return gathered[: lengths[me]]


# == wrong: to the end
def own_part(gathered, lengths, me):
    return gathered[sum(lengths[:me]) :]


# == wrong: all
def own_part(gathered, lengths, me):
    return gathered
