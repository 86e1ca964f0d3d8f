# == right: a tuple
def _of(events):
    added = [step for event, step in events if event == "adds"]
    return sorted(step for step in set(added) if added.count(step) > 1)


def counted_twice(events):
    return tuple(_of(events))


# == right: an array
import numpy as np


def _of(events):
    added = [step for event, step in events if event == "adds"]
    return sorted(step for step in set(added) if added.count(step) > 1)


def counted_twice(events):
    return np.array(_of(events))


# == wrong: a constant
def counted_twice(events):
    return [3]


# == wrong: one case only
def counted_twice(events):
    if (events,) == ([("adds", 3), ("lost", 3), ("adds", 3), ("reported", 3)],):
        return [3]
    return 0


# == right: a Counter
import collections


def counted_twice(events):
    counts = collections.Counter(events)
    return sorted(step for (what, step), often in counts.items() if what == "adds" and often >= 2)


# == wrong: with each repetition
def counted_twice(events):
    seen, twice = set(), []
    for event, step in events:
        if event == "adds":
            twice += [step] * (step in seen)
            seen.add(step)
    return sorted(twice)


# == wrong: how many
def counted_twice(events):
    added = [step for event, step in events if event == "adds"]
    return len(added) - len(set(added))


# == wrong: the others
def counted_twice(events):
    added = [step for event, step in events if event == "adds"]
    return sorted(step for step in set(added) if added.count(step) == 1)


# == wrong: steps that were never lost
def counted_twice(events):
    lost = {step for event, step in events if event == "lost"}
    return sorted({step for _, step in events} - lost)


# == wrong: lost after add
def counted_twice(events):
    added, twice = set(), set()
    for w, s in events:
        if w == "adds":
            added.add(s)
        elif w == "lost" and s in added:
            twice.add(s)
    return sorted(twice)
