"""20-3: the newest whole checkpoint."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong

#: The files of each case: a step, its number of parts, and those that exist; or another name.
_CASES: tuple[tuple[tuple[int, int, Iterable[int]] | str, ...], ...] = (
    ((10, 2, (0, 1)), (20, 2, (0, 1)), (30, 2, (0,))),
    ((90, 2, (0, 1)), (100, 2, (0, 1)), (110, 2, (1,))),
    ((40, 2, (0,)), (40, 1, (0,)), (30, 2, (0, 1))),
    ((60, 3, (0, 1, 2)), (60, 2, (0, 1)), (50, 3, (0, 1, 2))),
    ((80, 3, (0, 2)), (80, 2, (1,)), (70, 3, (0, 1, 2))),
    ((20, 12, range(12)), (30, 12, range(11)), (30, 11, range(10))),
    (
        (40, 2, (0, 1)),
        (50, 2, (0,)),
        "step-50/unfinished-1.npz",
        "step-50/part-1-of-2.npz.tmp",
        "step-60/part-0-of-1.npz.tmp",
        "old/step-60/part-0-of-1.npz",
        "step-60/part-0-of-1-npz",
    ),
    ((10, 2, (1,)), (20, 3, (0, 1)), "notes.txt"),
    ((70, 1, (0,)), (80, 3, (0, 1, 2)), (90, 2, (0,))),
    (),
)


def check(work: Work) -> Verdict:
    function = work.value("newest")
    if not callable(function):
        return not_yet("There is no function `newest`.")
    for first, case in enumerate(_CASES):
        shift = random.randrange(0, 10**4, 1000) if first != 1 else 0
        names = [name for one in case for name in _names(one, shift)]
        random.shuffle(names)
        where = f"Of {', '.join(sorted(names)) or 'no files'}:"
        where = where if len(where) < 300 else f"Of {len(names)} files:"
        try:
            found = function(list(names))
        except Exception as error:
            return wrong(f"{where} `newest` raises {type(error).__name__}: {error}")
        if found is None and not first:
            return not_yet("`newest` returns None.")
        if not isinstance(found, (list, tuple)) or not all(isinstance(one, str) for one in found):
            return wrong(f"{where} `newest` does not return a list of names.")
        if problem := _fault(list(found), names):
            return wrong(f"{where} {problem}")
    return right(
        "`newest` is right for 1 to 12 workers, unfinished files, and no whole checkpoint."
    )


def _names(one: tuple[int, int, Iterable[int]] | str, shift: int) -> list[str]:
    if isinstance(one, str):
        return [re.sub(r"step-(\d+)", lambda found: f"step-{int(found[1]) + shift}", one)]
    step, size, parts = one
    return [f"step-{step + shift}/part-{part}-of-{size}.npz" for part in parts]


def _key(name: str) -> tuple[int, int, int] | None:
    """The step, the size and the part of a name."""
    found = re.fullmatch(r"step-(\d+)/part-(\d+)-of-(\d+)\.npz", name)
    return (int(found[1]), int(found[3]), int(found[2])) if found else None


def _newest(names: list[str]) -> list[str]:
    groups: dict[tuple[int, int], dict[int, str]] = {}
    for name in names:
        if (key := _key(name)) is not None:
            groups.setdefault((key[0], -key[1]), {})[key[2]] = name
    whole = [key for key, parts in groups.items() if len(parts) == -key[1]]
    return [name for _, name in sorted(groups[max(whole)].items())] if whole else []


def _fault(found: list[str], names: list[str]) -> str:
    wanted = _newest(names)
    if found == wanted:
        return ""
    if not found:
        return "`newest` returns an empty list, although a checkpoint is whole."
    if strange := next((name for name in found if name not in names), ""):
        return f"`newest` returns {strange!r}, which is not in `names`."
    keys: list[Any] = [_key(name) for name in found]
    if None in keys:
        return f"{found[keys.index(None)]} is not the name of a part."
    if sorted(found) == sorted(wanted):
        return "the order of the parts is wrong."
    if len({step for step, _, _ in keys}) > 1:
        return "`newest` returns parts of several steps."
    if len({size for _, size, _ in keys}) > 1:
        step = keys[0][0]
        if wanted and _key(wanted[0])[0] == step:  # type: ignore[index]
            return f"`newest` returns parts of several sizes at step {step}."
    step, size, _ = keys[0]
    if len(keys) < size or len({size for _, size, _ in keys}) > 1:
        return f"`newest` does not return all parts of one size at step {step}."
    best = _key(wanted[0]) if wanted else None
    if best is not None and best[0] > step:
        return f"step {step} is older than {best[0]}, which is whole, too."
    return f"another checkpoint of step {step} has fewer parts."
