# == right: pickled, as between processes
import pickle


def push(name, value, workers):
    for variables in workers:
        variables.update({name: pickle.loads(pickle.dumps(value))})
    return workers


# == right: comprehensions
def push(name, value, workers):
    for variables in workers:
        variables[name] = [[*row] for row in value]
    return tuple(workers)


# == right: new dictionaries
import json


def push(name, value, workers):
    return [{**variables, name: json.loads(json.dumps(value))} for variables in workers]


# == wrong: the others' variables are lost
import copy


def push(name, value, workers):
    return [{name: copy.deepcopy(value)} for _ in workers]


# == wrong: always the same name
import copy


def push(name, value, workers):
    for variables in workers:
        variables["batch"] = copy.deepcopy(value)
    return workers


# == wrong: always two workers
import copy


def push(name, value, workers):
    for variables in workers[:2]:
        variables[name] = copy.deepcopy(value)
    return workers


# == wrong: only if it is not there
import copy


def push(name, value, workers):
    for variables in workers:
        variables.setdefault(name, copy.deepcopy(value))
    return workers


# == wrong: one worker's variables
import copy


def push(name, value, workers):
    for variables in workers:
        variables[name] = copy.deepcopy(value)
    return variables


# == wrong: nothing happens
def push(name, value, workers):
    return workers


# == wrong: name and value swapped
def push(name, value, workers):
    for variables in workers:
        variables[str(value)] = name
    return workers


# == wrong: the list of the last worker is the notebook's
import copy


def push(name, value, workers):
    for variables in workers:
        variables[name] = copy.deepcopy(value)
    workers[-1][name] = value
    return workers


# == wrong: worker 0 has its own copy, the others share one
import copy


def push(name, value, workers):
    shared = copy.deepcopy(value)
    for variables in workers:
        variables[name] = shared
    workers[0][name] = copy.deepcopy(value)
    return workers
