"""01-1: the latest checkpoint."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mwtutor.exercises.exercise import (
    Verdict,
    Work,
    not_yet,
    right,
    wrong,
)

#: For each folder, the epochs in the order in which their files are written, which copying may
#: change. In the first, the last name, the last written file and the number of files give three
#: different numbers; the others have many names of one length.
_FOLDERS = (
    (11, 10, 9, 2),
    (104, 99, 107, 108, 101, 103, 106, 100, 102, 105),
    (15, 9, 28, 30, 12, 21, 10, 25),
    (7,),
)

#: Wrong choices, and why they are wrong.
_CHOICES: tuple[tuple[Callable[[Sequence[int]], int], str], ...] = (
    (lambda epochs: int(max(map(str, epochs))), "as text, '9' comes after '11'."),
    (
        lambda epochs: epochs[-1],
        "its file was written last, but the files were copied, so their times say nothing about"
        " the training.",
    ),
    (lambda epochs: len(epochs), "that is how many files there are."),
)


def check(work: Work) -> Verdict:
    latest = work.value("latest")
    if not callable(latest):
        return not_yet("`latest` is not a function.")
    found = [_chosen(latest, epochs) for epochs in _FOLDERS]
    if all(chosen is None for chosen, _ in found):
        there = f"{_file_of(9)}` and `{_file_of(10)}"
        return not_yet(f"`latest` returns None for a folder that contains `{there}`.")
    names = [f"{chosen!s:.200}".rpartition("/")[2] for chosen, _ in found]
    verdict = _judge_latest(names)
    if verdict.status == "right" and not all(is_there for _, is_there in found):
        return wrong(
            f"`latest` chooses the right file, but returns {found[0][0]!r:.100}, which is not the"
            " path of a file in `folder`."
        )
    return verdict


def _chosen(latest: Callable[[Path], Any], epochs: Sequence[int]) -> tuple[Any, bool]:
    """What ``latest`` returns for a folder with these epochs, and whether that is a file."""
    with tempfile.TemporaryDirectory() as folder:
        for age, epoch in enumerate(epochs):
            file = Path(folder, _file_of(epoch))
            file.touch()
            os.utime(file, (1e9 + age, 1e9 + age))
        chosen = latest(Path(folder))
        return chosen, isinstance(chosen, (str, os.PathLike)) and os.path.isfile(chosen)


def _file_of(epoch: int) -> str:
    return f"ckpt_{epoch}.weights.h5"


def _judge_latest(names: Sequence[str]) -> Verdict:
    pairs = list(zip(names, _FOLDERS, strict=True))
    if all(name == _file_of(max(epochs)) for name, epochs in pairs):
        return right("`latest` compares the numbers, whatever the order of the files.")
    for choice, words in _CHOICES:
        if all(name == _file_of(choice(epochs)) for name, epochs in pairs):
            return wrong(
                f"Of epochs 2, 9, 10 and 11, `latest` chooses {choice(_FOLDERS[0])}: {words}"
            )
    name, epochs = next(pair for pair in pairs if pair[0] != _file_of(max(pair[1])))
    return wrong(f"Of epochs {', '.join(map(str, sorted(epochs)))}, `latest` chooses {name!r}.")
