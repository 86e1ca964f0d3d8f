"""The check of a writing task: calls the learner's function in many cases.

``solution.py`` gives the right answers. A verdict names a misconception only if the function in
its file in ``wrong`` gives the learner's answer in every case; the sentence is the file's
``# says:``.
"""

from __future__ import annotations

import copy
import inspect
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import isclose
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.folders import SOLUTION, read_wrong, wrong_files

#: How many values of an answer are read at most, how many characters are shown, and how many of
#: them come before the first difference.
_MOST_VALUES, _MOST_SHOWN, _BEFORE = 10_000, 60, 20

#: How many characters the arguments of a call may have together.
_MOST_OF_A_CALL = 240

#: Added to the verdict on a right function that changes its arguments.
_CHANGED = "But your function changes its arguments: its caller may need them unchanged."

#: The arguments of one call.
Case = tuple[Any, ...]

#: A function of a cell.
Function = Callable[..., Any]


def _call(function: Function, case: Case) -> Any:
    return function(*case)


def judged(
    work: Work,
    check: str,
    name: str,
    cases: Sequence[Case],
    done: str,
    called: Callable[[Function, Case], Any] = _call,
) -> Verdict:
    """The verdict on a function of the notebook.

    Args:
        check: the ``check.py`` of the task, whose folder has the other files.
        done: what right answers show, in a sentence.
        called: calls the function in one case, and returns what is compared; None if the function
            returned None.
    """
    folder = Path(check).parent
    function = work.value(name)
    if not callable(function):
        return not_yet(f"There is no function `{name}`.")
    tried = [copy.deepcopy(case) for case in cases]
    given = [_tried(called, function, case) for case in tried]
    if all(one is None for one in given):
        return not_yet(f"`{name}` returns None.")
    solution = _defined(name, (folder / SOLUTION).read_text(encoding="utf-8"))
    solved = [copy.deepcopy(case) for case in cases]
    wanted = [plain(called(solution, case)) for case in solved]
    agree = list(map(same, given, wanted))
    if all(agree):
        changed = any(map(_only_first_changed, tried, solved, cases))
        return right(f"{done} {_CHANGED}" if changed else done)
    failed = [at for at, one in enumerate(agree) if not one]
    calls = (_shown_call(name, cases[at], called is _call) for at in failed)
    told = (_told(call, given[at], wanted[at]) for call, at in zip(calls, failed, strict=True))
    found = min(told, key=len)
    for one in filter(None, map(read_wrong, wrong_files(folder))):
        if same(given, _answers(called, _defined(name, one.code), cases)):
            return wrong(f"{found} {one.says}")
    return wrong(f"{found} Right answers: {sum(agree)} of {len(agree)}.")


def _shown_call(name: str, case: Case, is_plain: bool) -> str:
    most = max(_MOST_SHOWN, _MOST_OF_A_CALL // max(1, len(case)))
    tried = ", ".join(_cut(_argument(one), most=most) for one in case)
    return f"`{name}({tried})`" if is_plain else f"`{name}`, tried with {tried},"


def _told(call: str, given: Any, wanted: Any) -> str:
    if isinstance(given, _Raised):
        return f"{call} raises {given.error}."
    texts = [_text(given), _text(wanted)]
    differ = (at for at, pair in enumerate(zip(*texts, strict=False)) if pair[0] != pair[1])
    begin = next(differ, 0) - _BEFORE if max(map(len, texts)) > _MOST_SHOWN else 0
    one, other = (_cut(text, max(0, begin)) for text in texts)
    return f"{call} gives {one}, not {other}."


def _defined(name: str, code: str) -> Function:
    names: dict[str, Any] = {"np": np}
    exec(code, names)  # one of the package's own files
    function: Function = names[name]
    return function


@dataclass(frozen=True)
class _Raised:
    """An error in place of an answer.

    Attributes:
        error: its type, its message and the line of the cell.
    """

    error: str


def _tried(called: Callable[[Function, Case], Any], function: Function, case: Case) -> Any:
    """The answer in one case, or the error that the function or its generator raised.

    Args:
        case: a copy, which the function may change.
    """
    try:
        return plain(called(function, case))
    except Exception as error:
        code = getattr(inspect.unwrap(function), "__code__", None)
        frames = traceback.walk_tb(error.__traceback__)
        lines = [
            line for frame, line in frames if code and frame.f_code.co_filename == code.co_filename
        ]
        if not lines:
            raise
        words = traceback.format_exception_only(error)[-1].strip()
        return _Raised(f"{words} (line {lines[-1]})")


def _answers(
    called: Callable[[Function, Case], Any], function: Function, cases: Sequence[Case]
) -> list[Any]:
    return [plain(called(function, copy.deepcopy(case))) for case in cases]


def _only_first_changed(one: Case, other: Case, case: Case) -> bool:
    """Whether, of two calls with copies of a case, only the first changed its arguments."""
    return not same(plain(one), plain(case)) and same(plain(other), plain(case))


def plain(value: Any, inside: tuple[int, ...] = ()) -> Any:
    """Numbers, arrays, tensors, tuples, generators and so on, as Python's numbers and lists.

    Args:
        inside: the ids of the values that contain this one.
    """
    if id(value) in inside:
        return "itself"
    if hasattr(value, "__array__") and not isinstance(value, type):
        value = np.asarray(value)[()]
    if isinstance(value, np.generic):
        return value.tolist()
    outer = (*inside, id(value))
    if isinstance(value, Mapping):
        return {_key(key): plain(one, outer) for key, one in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return [plain(one, outer) for one in islice(value, _MOST_VALUES)]
    return value


def _key(key: Any) -> Any:
    return key.tolist() if isinstance(key, np.generic) else key


def same(one: Any, other: Any) -> bool:
    """Whether two plain values are equal, except for the rounding of numbers; nan equals nan."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, Real) and isinstance(other, Real):
        both_nan = one != one and other != other
        return both_nan or isclose(one, other, rel_tol=1e-5, abs_tol=1e-7)
    return type(one) is type(other) and bool(one == other)


def _text(value: Any) -> str:
    return repr(_rounded(plain(value)))


def _argument(value: Any) -> str:
    return str(value.__name__) if inspect.isfunction(value) else repr(_rounded(value))


def _cut(text: str, begin: int = 0, most: int = _MOST_SHOWN) -> str:
    end = begin + most
    return "…" * (begin > 0) + text[begin:end] + "…" * (len(text) > end)


def _rounded(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)(map(_rounded, value))
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return float(f"{value:.4g}") if isinstance(value, float) else value
