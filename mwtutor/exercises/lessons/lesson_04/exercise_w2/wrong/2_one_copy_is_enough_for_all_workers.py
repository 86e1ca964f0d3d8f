# misconception: one copy is enough for all workers
# says: What worker 0 changed reached the other workers: they all have one copy.


import copy


def push(name, value, workers):
    copied = copy.deepcopy(value)
    for variables in workers:
        variables[name] = copied
    return workers
