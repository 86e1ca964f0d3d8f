# == right: a counter, into a tuple
from collections import Counter
from itertools import chain


def times_read(found, rows):
    counts = Counter(row for steps in found for row in chain(*steps))
    return tuple(counts[row] for row in range(rows))


# == right: an array
def times_read(found, rows):
    counts = np.zeros(rows, int)
    for steps in found:
        for part in steps:
            for row in part:
                counts[row] += 1
    return counts


# == right: a generator
def times_read(found, rows):
    return (sum(part.count(row) for steps in found for part in steps) for row in range(rows))


# == wrong: always once
def times_read(found, rows):
    return [1] * rows


# == wrong: always twelve rows
def times_read(found, rows):
    read = [row for steps in found for part in steps for row in part]
    return [read.count(row) for row in range(12)]


# == wrong: two workers only
def times_read(found, rows):
    read = [row for steps in found[:2] for part in steps for row in part]
    return [read.count(row) for row in range(rows)]


# == wrong: how many rows each worker got
def times_read(found, rows):
    return [sum(map(len, steps)) for steps in found]


# == wrong: the steps in which it was read
def times_read(found, rows):
    steps = [set().union(*parts) for parts in zip(*found)]
    return [sum(row in step for step in steps) for row in range(rows)]


# == wrong: each worker counts a row once
def times_read(found, rows):
    return [sum(any(row in part for part in steps) for steps in found) for row in range(rows)]


# == wrong: the sum over all rows
def times_read(found, rows):
    return sum(len(part) for steps in found for part in steps)
