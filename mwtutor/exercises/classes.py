"""The progress of a class: the records of several learners, without names unless requested."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mwtutor.exceptions import BadInput
from mwtutor.exercises.predictions import PREDICTIONS, Prediction, matches, parts
from mwtutor.exercises.records import EXERCISES, Record
from mwtutor.system.files import OURS

#: The message about a damaged record, whose path would name the learner.
_UNREAD = "The record of a learner cannot be read: --names shows which record, and why."

#: How many levels deep to look for learners' folders.
_DEEPEST = 3


@dataclass(frozen=True)
class ExerciseSums:
    """The results of a class in one exercise.

    Attributes:
        tried: learners who ran its check.
        solved: learners whose verdict was right.
        attempts: checks, of all learners.
        hints: hints shown, to all learners.
        solutions: learners who opened the solution.
        tries: for each learner who solved it, the number of checks that it took; sorted.
        misconceptions: by misconception, how many learners had a wrong verdict that shows it, the
            most frequent first; empty text for verdicts that fit no known one.
    """

    tried: int
    solved: int
    attempts: int
    hints: int
    solutions: int
    tries: tuple[int, ...] = ()
    misconceptions: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class PartSums:
    """The predictions of a class for one value.

    Attributes:
        name: the name of the value; may be empty.
        right: predictions that agreed with the learner's own outcome.
        made: predictions that count: noted before the outcome was known.
        guesses: how many learners predicted each value, the most frequent first.
        outcomes: how many learners saw each outcome.
    """

    name: str
    right: int
    made: int
    guesses: Mapping[str, int]
    outcomes: Mapping[str, int]


@dataclass(frozen=True)
class Standing:
    """The progress of one learner.

    Attributes:
        name: the learner's folder; empty unless names were requested.
        solved, tried: the ids of the exercises that were solved, and of those that were tried but
            not solved.
    """

    name: str
    solved: tuple[str, ...]
    tried: tuple[str, ...]


@dataclass(frozen=True)
class ClassProgress:
    """The progress of a class.

    Attributes:
        learners: how many have a record.
        exercises: by the exercise's id.
        predictions: the parts of each prediction, by its id.
        unread: sentences about records that could not be read.
        standings: one for each learner, those who solved most first.
    """

    learners: int
    exercises: Mapping[str, ExerciseSums]
    predictions: Mapping[str, tuple[PartSums, ...]]
    unread: tuple[str, ...] = ()
    standings: tuple[Standing, ...] = ()


def class_progress(folders: Sequence[Path], *, names: bool = False) -> ClassProgress:
    """Sum up the records of learners.

    Args:
        folders: learners' folders, or folders of those. A learner's folder contains the notebooks
            and ``.mwtutor``.
        names: whether to name the learners, by their folders.

    Raises:
        BadInput: a folder does not exist, or none has a record.
    """
    records: list[dict[str, Record]] = []
    predictions: list[dict[str, Prediction]] = []
    unread, standings = [], []
    homes = {home: name for folder in folders for home, name in _homes(folder)}
    for home in sorted(homes):
        try:
            solved, predicted = EXERCISES.all(home), PREDICTIONS.all(home)
        except BadInput as error:
            unread.append(error.problem if names else _UNREAD)
            continue
        if solved or predicted:
            standings.append(_standing(homes[home] if names else "", solved))
            records.append(solved)
            predictions.append(predicted)
    if not records and not unread:
        listed = ", ".join(map(str, folders))
        raise BadInput(
            f"No learner has a record in {listed}.",
            "Name the folders with the learners' notebooks, or a folder that contains them.",
        )
    return ClassProgress(
        len(records),
        {key: _exercise([one[key] for one in records if key in one]) for key in _keys(records)},
        {
            key: _parts([one[key] for one in predictions if key in one])
            for key in _keys(predictions)
        },
        tuple(unread),
        tuple(
            sorted(standings, key=lambda one: (-len(one.solved), one.name, one.solved, one.tried))
        ),
    )


def _standing(name: str, records: Mapping[str, Record]) -> Standing:
    solved = [key for key, one in records.items() if one.solved]
    tried = [key for key, one in records.items() if one.attempts and not one.solved]
    return Standing(name, tuple(sorted(solved)), tuple(sorted(tried)))


def _homes(folder: Path) -> Iterator[tuple[Path, str]]:
    """The learners' folders at or below this one, and their names."""
    if not folder.is_dir():
        raise BadInput(f"{folder} does not exist.", "Name folders with learners' notebooks.")
    for at, below, _ in os.walk(folder):  # it follows no links
        if OURS in below:
            name = os.path.relpath(at, folder)
            yield Path(at).resolve(), folder.resolve().name if name == "." else name
        is_deepest = len(Path(at).relative_to(folder).parts) == _DEEPEST
        below[:] = [] if is_deepest else [one for one in below if not one.startswith(".")]


def _keys(entries: Sequence[Mapping[str, object]]) -> list[str]:
    return sorted({key for one in entries for key in one})


def _exercise(records: Sequence[Record]) -> ExerciseSums:
    return ExerciseSums(
        tried=sum(one.attempts > 0 for one in records),
        solved=sum(one.solved for one in records),
        attempts=sum(one.attempts for one in records),
        hints=sum(one.hints for one in records),
        solutions=sum(one.solution for one in records),
        tries=tuple(sorted(one.tries for one in records if one.tries)),
        misconceptions=dict(
            Counter(each for one in records for each in set(one.misconceptions)).most_common()
        ),
    )


def _parts(predictions: Sequence[Prediction]) -> tuple[PartSums, ...]:
    """The parts as most learners' lessons name them; other editions of a lesson are left out."""
    by_names = defaultdict(list)
    for one in predictions:
        by_names[tuple(part.name for part in parts(one.outcome))].append(one)
    by_names.pop((), None)  # their outcome is not known yet
    if not by_names:
        return ()
    most, alike = max(by_names.items(), key=lambda item: len(item[1]))
    counted = [one for one in alike if one.counts and len(one.hits) == len(most)]
    guesses = [matches(one.guess, one.outcome) or ("",) * len(most) for one in counted]
    return tuple(
        PartSums(
            name,
            sum(one.hits[at] for one in counted),
            len(counted),
            dict(Counter(guess[at] for guess in guesses).most_common()),
            dict(Counter(parts(one.outcome)[at].value for one in alike).most_common()),
        )
        for at, name in enumerate(most)
    )
