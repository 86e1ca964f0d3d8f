"""Store a learner's predictions before a cell runs, and compare them with the outcome."""

from __future__ import annotations

import contextlib
import re
from ast import literal_eval
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import isclose, prod
from numbers import Number

from mwtutor.exceptions import BadInput
from mwtutor.executed import ExecutedCell
from mwtutor.exercises.records import Notes
from mwtutor.singletons import singleton

_ID = re.compile(r"\w+-[a-z]")

#: ``OFF=6``, ``time~23.5`` or only ``6``. A value may contain these signs, but a name may not.
_PART = re.compile(r"(?:(?P<name>[^\W\d][^=~\[({]*?)(?P<sign>[=~]))?(?P<value>.*)", re.DOTALL)

#: A separate equals sign, between words that are separated by null characters.
_EQUALS = re.compile("\0=\0?")

#: A space between two numbers; a Python list has a comma there.
_SPACE = re.compile(r"(?<=[\d.])\s+(?=[-\d.])")

#: A number with commas between thousands, as in 48,000.
_THOUSANDS = re.compile(r"-?\d{1,3}(,\d{3})+(\.\d*)?")

#: A fraction or a percentage: 3/4 or 75%.
_SHARE = re.compile(r"(?P<part>-?\d+(?:\.\d+)?)\s*(?:/\s*(?P<whole>0*[1-9]\d*)|%)")

#: A product: 32*64*4.
_PRODUCT = re.compile(r"\d+(\.\d+)?(\s*[*x]\s*\d+(\.\d+)?)+")

#: Numbers as words.
_UP_TO_TEN = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {"none": 0, "both": 2} | {word: number for number, word in enumerate(_UP_TO_TEN)}

#: Other words for yes and no.
_YES_NO = {"true": "yes", "false": "no", "y": "yes", "n": "no"}

#: A word of a text.
_WORD = re.compile(r"[^\W\d_]+|\d+")

#: The ending of a verb or plural, and a letter doubled before it: stops, stopped.
_ENDING = re.compile(r"(?<=\w{3})(e|es|ed|s|ing)$")
_DOUBLED = re.compile(r"([^\W\d])\1$")

#: A number with a unit, or with the name of its part: 8192 bytes, 1 each.
_UNIT = re.compile(r"(?P<number>.*\d|\w+(?= ))\s*(?P<unit>[^\W\d]+)( each)?")
_UNITS = {"bytes", "b", "rows", "columns", "steps", "each"}

#: The value of a part that the learner has not filled in.
BLANK = "..."

#: How far a prediction of a measured value may be off, as a fraction.
_ABOUT = 0.25


@dataclass(frozen=True)
class Part:
    """One value of a prediction or an outcome.

    Attributes:
        name: the name of the value; may be empty.
        value: as typed.
        is_measured: whether the value differs from run to run.
    """

    name: str
    value: str
    is_measured: bool = False

    def __str__(self) -> str:
        return f"{self.name} {self.value}".strip()


@dataclass(frozen=True)
class Prediction:
    """A learner's prediction, and the outcome.

    Attributes:
        guess: the predicted values, with their names as typed; empty if none was noted.
        outcome: the values that the cells gave; empty until they are known.
        hits: for each value, whether the prediction agrees; empty if they cannot be compared.
        late: whether the outcome could be seen before the prediction was noted.
    """

    guess: tuple[str, ...] = ()
    outcome: tuple[str, ...] = ()
    hits: tuple[bool, ...] = ()
    late: bool = False

    @property
    def counts(self) -> bool:
        """Whether the prediction counts toward the learner's score."""
        return bool(self.hits) and not self.late


@dataclass(frozen=True)
class Noted:
    """A prediction as stored.

    Attributes:
        id: its id, for example ``05-a``.
        typed: the values that were just typed; once the outcome is known, they do not replace a
            prediction.
        note: why it could not be stored, as a sentence; empty if it was.
    """

    id: str
    prediction: Prediction
    typed: tuple[str, ...]
    note: str = ""


#: All predictions of a learner.
PREDICTIONS = Notes("predictions.json", Prediction)


class Places(dict[str, int]):
    """How many cells this process had executed when each prediction was noted."""


def predict(number: str, words: Sequence[str], executed: Sequence[ExecutedCell]) -> Noted:
    """Store a learner's prediction, unless the outcome is already known.

    Args:
        number: its id, for example ``05-a``.
        words: the values, ``6`` or ``OFF=6``. If one is ``...``, nothing is recorded.
        executed: the cells that the shell has executed, this one last.

    Raises:
        BadInput: the id is not the id of a prediction.
    """
    demand_id(number)
    guess = tuple(_joined(words))
    if not guess or any(part.value in (BLANK, "") for part in parts(guess)):
        with contextlib.suppress(BadInput):
            return Noted(number, PREDICTIONS.all().get(number, Prediction()), ())
        return Noted(number, Prediction(), ())

    def changed(known: Prediction) -> Prediction:
        if known.guess == guess or (known.guess and known.outcome):
            return known
        singleton(Places)[number] = len(executed)
        return replace(known, guess=guess, late=bool(known.outcome))

    prediction, lost = PREDICTIONS.note(number, changed)
    return Noted(number, prediction, guess, lost)


def outcome(number: str, words: Sequence[str], executed: Sequence[ExecutedCell]) -> Noted:
    """Compare the outcome with the prediction.

    Args:
        number: the id of the prediction.
        words: the values, named and in order; ``name~value`` is one that differs from run to run.
        executed: the cells that the shell has executed, this one last.

    Raises:
        BadInput: the id is not the id of a prediction, or the values are not known yet.
    """
    demand_id(number)
    found = tuple(_joined(words))
    if not found or any("{" in part.value or part.value == "" for part in parts(found)):
        raise BadInput(f"{number}: the outcome is not known yet.", "Run the cells above first.")

    def changed(known: Prediction) -> Prediction:
        # If no cell ran between the prediction and this one, the outcome was already known.
        between = len(executed) - 1 > singleton(Places).get(number, 0)
        late = known.late or (bool(known.guess) and not between)
        return replace(known, outcome=found, hits=_hits(known.guess, found), late=late)

    prediction, lost = PREDICTIONS.note(number, changed)
    return Noted(number, prediction, found, lost)


def parts(words: Sequence[str]) -> tuple[Part, ...]:
    """The values with their names."""
    return tuple(_part(word) for word in words)


def matches(guess: Sequence[str], found: Sequence[str]) -> tuple[str, ...]:
    """The predicted value for each part of an outcome: by name, or else in order.

    Returns:
        Nothing if the prediction and the outcome have different parts.
    """
    guessed, wanted = parts(guess), parts(found)
    if is_longer := len(guessed) > len(wanted):  # a value may be several words
        guessed = parts(_phrases(guess, has_one=len(wanted) == 1))
    if len(guessed) != len(wanted):
        return ()
    values = tuple(part.value for part in guessed)
    if any(part.name for part in guessed):
        by_name = {_words(part.name): part.value for part in guessed}
        values = tuple(by_name.get(_words(part.name), "") for part in wanted)
    if is_longer and not all(
        _agree(value, part) for value, part in zip(values, wanted, strict=True) if " " in value
    ):
        return ()
    return values if all(values) else ()


def demand_id(number: str) -> None:
    """Raise BadInput unless this is the id of a prediction."""
    if not _ID.fullmatch(number):
        raise BadInput(
            f"{number!r} is not the id of a prediction.",
            "Write the lesson's number and a letter, for example 05-a.",
        )


def _joined(words: Sequence[str]) -> Iterator[str]:
    """The words of each part, without a comma at its end.

    The words of a list or a tuple are joined, even if it has no brackets.
    """
    words = _EQUALS.sub("=", "\0".join(words)).split("\0")
    held: list[str] = []
    for word, following in zip(words, [*words[1:], ""], strict=False):
        held.append(word)
        text = " ".join(held)
        is_open = sum(map(text.count, "[({")) > sum(map(text.count, "])}"))
        has_more = text.endswith(",") and _part(text).name and not _part(following).name
        if not following or not (is_open or has_more):
            yield text.rstrip(",") or text
            held = []


def _phrases(words: Sequence[str], has_one: bool) -> list[str]:
    """The words of each part: one without a name belongs to the named part before it.

    Args:
        has_one: whether all words belong to one part, which needs no name.
    """
    found: list[str] = []
    for word in words:
        if found and not _part(word).name and (has_one or _part(found[-1]).name):
            found[-1] += f" {word}"
        else:
            found.append(word)
    return found


def _part(word: str) -> Part:
    match = _PART.fullmatch(word)
    assert match is not None  # its value may be anything
    return Part((match["name"] or "").strip(), match["value"].strip(), match["sign"] == "~")


def _hits(guess: Sequence[str], found: Sequence[str]) -> tuple[bool, ...]:
    values = matches(guess, found)
    return tuple(
        _agree(value, part) for value, part in zip(values, parts(found), strict=False) if values
    )


def _agree(guess: str, part: Part) -> bool:
    """Whether a predicted value equals the outcome: as a number, as a list, or as text."""
    guess = guess.lstrip("~≈ ").rstrip(";?! ")  # a learner may mark a value as approximate
    ours, theirs = _value(guess), _value(part.value)
    if isinstance(theirs, Number):
        ours = _number(guess, part.name)
    if isinstance(ours, Number):
        theirs = _NUMBERS.get(part.value, theirs)
    if isinstance(ours, Number) and isinstance(theirs, Number):
        return isclose(ours, theirs, rel_tol=_ABOUT if part.is_measured else 1e-9)  # type: ignore[arg-type]
    return bool(ours == theirs)


def _number(guess: str, name: str) -> object:
    """The number that a learner wrote, in one of several forms; anything else is a value."""
    unit = _UNIT.fullmatch(guess)
    if unit and unit["unit"].casefold() in _UNITS | {name.casefold()}:
        guess = unit["number"]
    if guess.casefold() in _NUMBERS:
        return _NUMBERS[guess.casefold()]
    if _THOUSANDS.fullmatch(guess):
        return _value(guess.replace(",", ""))
    if _PRODUCT.fullmatch(guess):
        return prod(map(float, re.split("[*x]", guess)))
    if share := _SHARE.fullmatch(guess):
        return float(share["part"]) / int(share["whole"] or 100)
    return _value(guess)


def _value(text: str) -> object:
    try:
        value = literal_eval(_SPACE.sub(", ", text))  # [1 2], as NumPy prints a list
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        value = text
    if isinstance(value, bool) or value is None:
        value = text
    if isinstance(value, str):
        return _YES_NO.get(value.casefold().strip(".!"), _words(value))
    return list(value) if isinstance(value, tuple) else value


def _words(text: str) -> str:
    """The words of a text, for comparison: as_much equals "as much", and fails equals failed."""
    return " ".join(map(_stem, _WORD.findall(text.casefold()))) or text


def _stem(word: str) -> str:
    return _DOUBLED.sub(r"\1", _ENDING.sub("", word))
