"""The common errors recognized from text alone: a pasted message, or a log.

mwtutor's verdicts on exchanges are recognized, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mwtutor.worker.advice.common_errors import ROWS
from mwtutor.worker.advice.common_errors.exchanges import VERDICTS
from mwtutor.worker.advice.row import Row

#: The last line of a traceback, wherever it is in a log, up to the message.
_RAISED = re.compile(r"^[^\n]*?\b(?:\w+\.)*(?P<error>[A-Z]\w*(?:Error|Exception|ZipFile)): ", re.M)

#: The number of characters of a message that are searched.
_SEARCHED = 4000


@dataclass(frozen=True)
class Known:
    """A common error found in a text.

    Attributes:
        message: the line of the text, from the error's name on.
        means: its meaning, in one sentence.
        do: what to do, in one sentence.
    """

    message: str
    means: str
    do: str


def known_in(text: str) -> list[Known]:
    """The common errors in a text, in order, each once; then verdicts on exchanges.

    Errors that depend on further facts, which a text does not show, are left out unless their class
    and message leave little doubt.
    """
    found: dict[Row, Known] = {}
    for error, message in _messages(text):
        for row in ROWS:
            match = re.search(row.message, message)
            if match and _is_enough(row, error):
                fill = {"program": "the program", **match.groupdict()}
                means, do = (sentence.format(**fill) for sentence in (row.means, row.do))
                found.setdefault(row, Known(_line(error, message, match.start()), means, do))
                break
    for row in VERDICTS:
        if match := re.search(row.message, text, re.M):
            found[row] = Known(_line("", text, match.start()), row.means, row.do)
    return list(found.values())


def _is_enough(row: Row, error: str) -> bool:
    """Whether this row applies for certain, given the error class (empty if the text has none)."""
    if row.applies is not Row.applies:
        return bool(re.fullmatch(row.in_text, error or "unnamed"))
    return bool(re.fullmatch(row.error, error) if error else row.message)


def _line(error: str, message: str, at: int) -> str:
    if error:
        return f"{error}: {message.splitlines()[0]}"
    return message[message.rfind("\n", 0, at) + 1 :].splitlines()[0].strip()


def _messages(text: str) -> Iterator[tuple[str, str]]:
    """Each error's name and the text after it; the whole text if it names no error."""
    raised = list(_RAISED.finditer(text))
    if not raised:
        yield "", text
    for one in raised:
        yield one["error"], text[one.end() : one.end() + _SEARCHED]
