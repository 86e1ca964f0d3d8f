# == right: row by row
import math


def row_weights(rows, replicas):
    each = math.ceil(rows / replicas)
    replica = [row // each for row in range(rows)]
    return tuple(1 / replicas / replica.count(one) for one in replica)


# == right: an array
def row_weights(rows, replicas):
    each = (rows + replicas - 1) // replicas
    parts = np.split(np.arange(rows), range(each, rows, each))
    return np.concatenate([np.full(len(part), 1 / len(part)) for part in parts]) / replicas


# == right: a generator
def row_weights(rows, replicas):
    each, left = -(-rows // replicas), rows
    while left > 0:
        size = min(each, left)
        yield from [1 / size / replicas] * size
        left -= size


# == wrong: the numbers of the lesson
def row_weights(rows, replicas):
    return [1 / 66] * 44 + [1 / 60] * 20


# == wrong: three replicas whatever the second argument
def row_weights(rows, replicas):
    each = -(-rows // 3)
    sizes = [min(each, rows - first) for first in range(0, rows, each)]
    return [1 / (3 * size) for size in sizes for _ in range(size)]


# == wrong: rounded down, and the rest for the last
def row_weights(rows, replicas):
    each = max(1, rows // replicas)
    sizes = [each] * (replicas - 1) + [rows - each * (replicas - 1)]
    return [1 / (replicas * size) for size in sizes if size > 0 for _ in range(size)]


# == wrong: the remainder is dropped
def row_weights(rows, replicas):
    each = rows // replicas
    return [1 / (replicas * each)] * (each * replicas) if each else []


# == wrong: the numbers of rows
def row_weights(rows, replicas):
    each = -(-rows // replicas)
    return [min(each, rows - first) for first in range(0, rows, each)]


# == wrong: one weight for each replica
def row_weights(rows, replicas):
    each = -(-rows // replicas)
    return [1 / replicas / min(each, rows - first) for first in range(0, rows, each)]


# == wrong: the arguments swapped
def row_weights(rows, replicas):
    return [1 / replicas / max(1, replicas // rows)] * rows
