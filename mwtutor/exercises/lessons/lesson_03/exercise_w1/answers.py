# == right: a tuple, with a loop
def rows_of_steps(rows, per_replica, replicas):
    found = ()
    while rows > 0:
        found += (min(rows, per_replica * replicas),)
        rows -= found[-1]
    return found


# == right: NumPy's integers
def rows_of_steps(rows, per_replica, replicas):
    first = np.arange(0, rows, per_replica * replicas)
    return np.minimum(rows - first, per_replica * replicas)


# == right: a generator
def rows_of_steps(rows, per_replica, replicas):
    whole, left = divmod(rows, per_replica * replicas)
    yield from [per_replica * replicas] * whole
    if left:
        yield left


# == wrong: a constant
def rows_of_steps(rows, per_replica, replicas):
    return [64] * 21


# == wrong: always two replicas
def rows_of_steps(rows, per_replica, replicas):
    return [min(2 * per_replica, rows - first) for first in range(0, rows, 2 * per_replica)]


# == wrong: a last step of no rows
def rows_of_steps(rows, per_replica, replicas):
    whole, left = divmod(rows, per_replica * replicas)
    return [per_replica * replicas] * whole + [left]


# == wrong: the number of steps
def rows_of_steps(rows, per_replica, replicas):
    return -(-rows // (per_replica * replicas))


# == wrong: the arguments swapped
def rows_of_steps(rows, per_replica, replicas):
    return [min(replicas, rows - first) for first in range(0, rows, replicas)]


# == wrong: always 1344 rows
def rows_of_steps(rows, per_replica, replicas):
    batch = per_replica * replicas
    return [min(batch, 1344 - first) for first in range(0, 1344, batch)]


# == wrong: only the sum is right
def rows_of_steps(rows, per_replica, replicas):
    count = -(-rows // (per_replica * replicas))
    return [len(part) for part in np.array_split(np.arange(rows), count)]
