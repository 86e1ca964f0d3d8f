# misconception: it is pushed to the chief
# says: Only worker 0 has the variable.


import copy


def push(name, value, workers):
    workers[0][name] = copy.deepcopy(value)
    return workers
