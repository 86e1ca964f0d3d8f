# == right: a tuple
def _of(sizes, bytes_per_pack):
    found = [0]
    for size in sizes:
        if bytes_per_pack and found[-1] > bytes_per_pack:
            found.append(0)
        found[-1] += size
    return found


def pack_sizes(sizes, bytes_per_pack):
    return tuple(_of(sizes, bytes_per_pack))


# == right: a generator
def _of(sizes, bytes_per_pack):
    found = [0]
    for size in sizes:
        if bytes_per_pack and found[-1] > bytes_per_pack:
            found.append(0)
        found[-1] += size
    return found


def pack_sizes(sizes, bytes_per_pack):
    yield from _of(sizes, bytes_per_pack)


# == right: an array
import numpy as np


def _of(sizes, bytes_per_pack):
    found = [0]
    for size in sizes:
        if bytes_per_pack and found[-1] > bytes_per_pack:
            found.append(0)
        found[-1] += size
    return found


def pack_sizes(sizes, bytes_per_pack):
    return np.array(_of(sizes, bytes_per_pack))


# == wrong: a constant
def pack_sizes(sizes, bytes_per_pack):
    return [3, 3, 2]


# == wrong: one case only
def pack_sizes(sizes, bytes_per_pack):
    if (
        sizes,
        bytes_per_pack,
    ) == (
        [1, 1, 1, 1, 1, 1, 1, 1],
        2,
    ):
        return [3, 3, 2]
    return 0


# == wrong: ignores bytes_per_pack
def _of(sizes, bytes_per_pack):
    found = [0]
    for size in sizes:
        if bytes_per_pack and found[-1] > bytes_per_pack:
            found.append(0)
        found[-1] += size
    return found


def pack_sizes(sizes, bytes_per_pack):
    bytes_per_pack = 0
    return _of(sizes, bytes_per_pack)


# == wrong: ignores bytes_per_pack
def _of(sizes, bytes_per_pack):
    found = [0]
    for size in sizes:
        if bytes_per_pack and found[-1] > bytes_per_pack:
            found.append(0)
        found[-1] += size
    return found


def pack_sizes(sizes, bytes_per_pack):
    bytes_per_pack = 2
    return _of(sizes, bytes_per_pack)


# == wrong: their number
def pack_sizes(sizes, bytes_per_pack):
    return -(-sum(sizes) // bytes_per_pack) if bytes_per_pack else 1


# == wrong: each alone
def pack_sizes(sizes, bytes_per_pack):
    return sizes


# == wrong: the gradients instead of their bytes
def pack_sizes(sizes, bytes_per_pack):
    found = [[]]
    for size in sizes:
        if bytes_per_pack and sum(found[-1]) > bytes_per_pack:
            found.append([])
        found[-1].append(size)
    return found
