import copy


def push(name, value, workers):
    for variables in workers:
        variables[name] = copy.deepcopy(value)
    return workers
