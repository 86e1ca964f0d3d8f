# misconception: a new list is a copy
# says: The outer list was copied, but the lists in it are still shared.


def push(name, value, workers):
    for variables in workers:
        variables[name] = list(value)
    return workers
