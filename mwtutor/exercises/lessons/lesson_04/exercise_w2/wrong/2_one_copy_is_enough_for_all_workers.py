# misconception: one copy is enough for all workers
# says: A change on worker 0 reached the other workers: they all share one copy.


import copy


def push(name, value, workers):
    copied = copy.deepcopy(value)
    for variables in workers:
        variables[name] = copied
    return workers
