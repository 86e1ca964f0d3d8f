"""An exercise's ``task.md``: its title, the task, the hints, and the reasons for the solution."""

from __future__ import annotations

import re
from pathlib import Path

from mwtutor.exceptions import BadInput, message_of

#: The number of an exercise, 03-2, or of a writing task, 03-w2.
ID = re.compile(r"(?P<lesson>[A-Za-z0-9_.]+)-(?P<number>w?[0-9]+)")

_TITLE = re.compile(rf"# (?P<id>{ID.pattern})(?P<hard> \(hard\))?: (?P<title>\S.*)")

_SECTION = re.compile(r"^## (Hint|Why)[ \t]*$", re.M)


def read_task(path: Path) -> tuple[re.Match[str], str, tuple[str, ...], str]:
    """The title, the task, the hints, and the reasons for the solution."""
    first, _, rest = text_of(path).lstrip().partition("\n")
    match = _TITLE.fullmatch(first.rstrip())
    if match is None:
        raise BadInput(
            f"{path} does not begin with the exercise's number and title.",
            "Write both into the first line: # mine-1: The title",
        )
    task, *found = map(str.strip, _SECTION.split(rest))
    sections = list(zip(found[::2], found[1::2], strict=True))
    reasons = [text for name, text in sections if name == "Why"]
    if not task or len(reasons) != 1 or not all(text for _, text in sections):
        raise BadInput(
            f"{path} lacks the task, the text of a hint, or a section with the reasons for the"
            " solution.",
            "Write the task below the title, each hint below `## Hint`, and the reasons below one"
            " `## Why`.",
        )
    return match, task, tuple(text for name, text in sections if name == "Hint"), reasons[0]


def text_of(path: Path) -> str:
    """The text of one of an exercise's files.

    Raises:
        BadInput: it cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadInput(
            f"{path} does not exist.",
            "`mwtutor exercise new DIR` creates a folder with every file that an exercise needs.",
        ) from None
    except OSError as error:
        raise BadInput(
            f"{path} cannot be read: {message_of(error)}.", "Make it readable."
        ) from None
    except ValueError:
        raise BadInput(f"{path} is not UTF-8 text.", "Save it as UTF-8.") from None
