# == right: a tuple
def _of(rows, row_bytes, min_bytes, servers):
    parts = min(-(-rows * row_bytes // min_bytes), servers, rows)
    size, more = divmod(rows, parts)
    return [size + (part < more) for part in range(parts)]


def rows_of_parts(rows, row_bytes, min_bytes, servers):
    return tuple(_of(rows, row_bytes, min_bytes, servers))


# == right: a generator
def _of(rows, row_bytes, min_bytes, servers):
    parts = min(-(-rows * row_bytes // min_bytes), servers, rows)
    size, more = divmod(rows, parts)
    return [size + (part < more) for part in range(parts)]


def rows_of_parts(rows, row_bytes, min_bytes, servers):
    yield from _of(rows, row_bytes, min_bytes, servers)


# == right: an array
import numpy as np


def _of(rows, row_bytes, min_bytes, servers):
    parts = min(-(-rows * row_bytes // min_bytes), servers, rows)
    size, more = divmod(rows, parts)
    return [size + (part < more) for part in range(parts)]


def rows_of_parts(rows, row_bytes, min_bytes, servers):
    return np.array(_of(rows, row_bytes, min_bytes, servers))


# == wrong: a constant
def rows_of_parts(rows, row_bytes, min_bytes, servers):
    return [392, 392]


# == wrong: one case only
def rows_of_parts(rows, row_bytes, min_bytes, servers):
    if (
        rows,
        row_bytes,
        min_bytes,
        servers,
    ) == (
        784,
        128,
        65536,
        2,
    ):
        return [392, 392]
    return 0


# == wrong: ignores servers
def _of(rows, row_bytes, min_bytes, servers):
    parts = min(-(-rows * row_bytes // min_bytes), servers, rows)
    size, more = divmod(rows, parts)
    return [size + (part < more) for part in range(parts)]


def rows_of_parts(rows, row_bytes, min_bytes, servers):
    servers = 2
    return _of(rows, row_bytes, min_bytes, servers)


# == wrong: ignores row_bytes
def _of(rows, row_bytes, min_bytes, servers):
    parts = min(-(-rows * row_bytes // min_bytes), servers, rows)
    size, more = divmod(rows, parts)
    return [size + (part < more) for part in range(parts)]


def rows_of_parts(rows, row_bytes, min_bytes, servers):
    row_bytes = 4
    return _of(rows, row_bytes, min_bytes, servers)


# == wrong: swaps rows and min_bytes
def _of(rows, row_bytes, min_bytes, servers):
    parts = min(-(-rows * row_bytes // min_bytes), servers, rows)
    size, more = divmod(rows, parts)
    return [size + (part < more) for part in range(parts)]


def rows_of_parts(rows, row_bytes, min_bytes, servers):
    return _of(min_bytes, row_bytes, rows, servers)


# == right: math.ceil
import math


def rows_of_parts(rows, row_bytes, min_bytes, servers):
    parts = min(math.ceil(rows * row_bytes / min_bytes), servers)
    parts = min(parts, rows)
    return [len(range(part, rows, parts)) for part in range(parts)]


# == wrong: bytes
def rows_of_parts(rows, row_bytes, min_bytes, servers):
    parts = min(-(-rows * row_bytes // min_bytes), servers, rows)
    size, more = divmod(rows, parts)
    return [(size + (part < more)) * row_bytes for part in range(parts)]


# == wrong: the number of parts
def rows_of_parts(rows, row_bytes, min_bytes, servers):
    return min(-(-rows * row_bytes // min_bytes), servers, rows)


# == wrong: floor plus one
def rows_of_parts(rows, row_bytes, min_bytes, servers):
    n = max(1, min(rows, servers, rows * row_bytes // min_bytes + 1))
    return [rows // n + (i < rows % n) for i in range(n)]


# == wrong: rounding
def rows_of_parts(rows, row_bytes, min_bytes, servers):
    n = max(1, min(rows, servers, round(rows * row_bytes / min_bytes)))
    return [rows // n + (i < rows % n) for i in range(n)]
