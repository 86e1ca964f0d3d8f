# misconception: a name is enough
# says: A later change in the notebook reached the workers: they have its list, not a copy.


def push(name, value, workers):
    for variables in workers:
        variables[name] = value
    return workers
