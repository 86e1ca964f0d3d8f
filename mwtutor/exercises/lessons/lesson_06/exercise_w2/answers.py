# == right: arrays
def data_order(parts):
    return np.concatenate([np.array(worker[s]) for s in range(len(parts[0])) for worker in parts])


# == right: loops and a tuple
def data_order(parts):
    found = []
    for s in range(len(parts[0])):
        for worker in parts:
            found.extend(worker[s])
    return tuple(found)


# == right: a generator
from itertools import chain


def data_order(parts):
    yield from chain.from_iterable(chain.from_iterable(zip(*parts)))


# == wrong: sorted
def data_order(parts):
    return sorted(value for worker in parts for part in worker for value in part)


# == wrong: the first two workers
def data_order(parts):
    return [value for step in zip(*parts[:2]) for part in step for value in part]


# == wrong: only the first step
def data_order(parts):
    return [value for worker in parts for value in worker[0]]


# == wrong: step by step, in lists
def data_order(parts):
    return [[value for part in step for value in part] for step in zip(*parts)]


# == wrong: the workers in reverse
def data_order(parts):
    return [value for step in zip(*parts[::-1]) for part in step for value in part]


# == wrong: the sum of the workers
def data_order(parts):
    return [sum(values) for step in zip(*parts) for values in zip(*step)]


# == wrong: without the last step
def data_order(parts):
    return [value for step in list(zip(*parts))[:-1] for part in step for value in part]


# == wrong: equal predictions once
def data_order(parts):
    return list(dict.fromkeys(value for step in zip(*parts) for part in step for value in part))
