"""Where the exchanges of two tasks diverge: no task is blamed for the other's fault."""

from __future__ import annotations

import random
from itertools import chain

import pytest

from mwtutor.run.observations.alignment import parting


def test_nothing_is_wrong_with_lines_of_a_tasks_own():
    """If tasks diverge beyond one alignment window, the place is still found."""
    one, other = [8, 9, 1] * 100, [8, 7, 1] * 100
    assert parting(one, other, stands=False, over=False) is None
    del other[250]
    found = parting(one, other, stands=True, over=False)
    assert (found.at, found.how, found.count) == (250, "first", 1)


def test_lines_that_meet_crosswise_long_after_are_found_where_they_first_did():
    one, other = [8] * 300, [8] * 300
    one[20], other[20] = 7, 9
    one[250], other[250] = 9, 7
    found = parting(one, other, stands=False, over=False)
    assert (found.at, found.how) == (20, "order")


def program(chance):
    """The exchanges of every task in each step, by line."""
    lines = [chance.randint(1, 4) for _ in range(chance.randint(1, 5))]
    every = chance.choice([0, 3])
    return [
        [*lines, *[9] * (every > 0 and step % every == 0)] for step in range(chance.randint(3, 25))
    ]


def flat(steps):
    return list(chain.from_iterable(steps))


def with_fault(steps, kind, chance):
    step = chance.choice(steps)
    at = chance.randrange(len(step))
    if kind == "skips":
        del step[at : at + chance.randint(1, 3)]
    elif kind == "adds":
        step.insert(at, 20)
    elif kind == "swaps":
        later = chance.randrange(len(step))
        step[at], step[later] = step[later], step[at]
    elif kind == "own line":
        own = step[at]
        steps = [[10 if line == own else line for line in step] for step in steps]
    return flat(steps)


@pytest.mark.parametrize("kind", ["skips", "adds", "swaps", "own line"])
@pytest.mark.parametrize("going", [True, False])
def test_of_many_programs_nobody_is_accused_of_what_another_did(kind, going):
    named = 0
    for seed in range(80):
        chance = random.Random(seed)
        steps = program(chance)
        both = [flat(steps), with_fault([list(step) for step in steps], kind, chance)]
        if swapped := chance.random() < 0.5:
            both.reverse()
        made = min(map(len, both)) if going else None
        uneven = len(both[0]) != len(both[1])
        found = parting(
            both[0][:made],
            both[1][:made],
            stands=uneven and not going,
            over=not uneven and not going,
        )
        more = {"skips": swapped, "adds": not swapped}.get(kind)
        allowed = {
            "own line": {None},
            "swaps": {None, "order", "either"},
        }.get(kind, {None, "order", "either", "second" if more else "first"})
        how = found and found.how
        assert how in allowed, (seed, both)
        named += how is not None
    assert named == 0 if kind == "own line" else named > 15
