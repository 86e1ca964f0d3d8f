# == right: a tuple
def _of(directories):
    found = set()
    for run, places in directories.items():
        others = [set(one.values()) for name, one in directories.items() if name != run]
        if len(set(places.values())) > 1 or set(places.values()) & set().union(*others):
            found.add(run)
    return sorted(found)


def in_danger(directories):
    return tuple(_of(directories))


# == right: an array
import numpy as np


def _of(directories):
    found = set()
    for run, places in directories.items():
        others = [set(one.values()) for name, one in directories.items() if name != run]
        if len(set(places.values())) > 1 or set(places.values()) & set().union(*others):
            found.add(run)
    return sorted(found)


def in_danger(directories):
    return np.array(_of(directories))


# == wrong: a constant
def in_danger(directories):
    return ["a"]


# == wrong: one case only
def in_danger(directories):
    if (directories,) == ({"a": {"worker:0": ("disk-0", "b"), "worker:1": ("disk-1", "b")}},):
        return ["a"]
    return 0


# == right: counts the users of each directory
import collections
from collections import defaultdict


def in_danger(directories):
    users = defaultdict(set)
    for run, places in directories.items():
        for one in places.values():
            users[one].add(run)
    shared = {run for runs in users.values() if len(runs) > 1 for run in runs}
    return sorted(
        shared | {run for run in directories if sum(run in runs for runs in users.values()) > 1}
    )


# == wrong: nothing
def in_danger(directories):
    return []


# == wrong: all
def in_danger(directories):
    return sorted(directories)


# == wrong: the second one only
def in_danger(directories):
    found, used = [], set()
    for run, places in directories.items():
        own = set(places.values())
        if len(own) > 1 or own & used:
            found.append(run)
        used |= own
    return sorted(found)


# == wrong: worker:0 only
def in_danger(directories):
    first = {run: places["worker:0"] for run, places in directories.items()}
    return sorted(run for run in first if list(first.values()).count(first[run]) > 1)


# == wrong: neighbors only
def in_danger(directories):
    names = list(directories)
    used = {run: set(w.values()) for run, w in directories.items()}
    bad = {r for r in names if len(used[r]) > 1}
    for a, b in zip(names, names[1:]):
        if used[a] & used[b]:
            bad |= {a, b}
    return sorted(bad)


# == wrong: unsorted
def in_danger(directories):
    used = {run: set(workers.values()) for run, workers in directories.items()}
    return [
        run
        for run, mine in used.items()
        if len(mine) > 1 or any(mine & other for name, other in used.items() if name != run)
    ]
