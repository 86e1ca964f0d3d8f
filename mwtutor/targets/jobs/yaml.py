"""The YAML that job files need: mappings, lists, text, numbers and booleans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mwtutor.exceptions import BadInput

#: Text that is a string even without quotes, in every version of YAML.
_PLAIN = re.compile(r"(?!(?:true|false|yes|no|on|off|null|[yn])$)[A-Za-z][A-Za-z0-9_./-]*", re.I)


def dump(value: Any) -> str:
    """The text of one document.

    Raises:
        BadInput: YAML cannot represent some text.
    """
    return "\n".join(_lines(value)) + "\n"


def _lines(value: Any) -> Iterator[str]:
    items = value.items() if isinstance(value, dict) else ((None, one) for one in value)
    for name, one in items:
        head = "-" if name is None else f"{_text(name)}:"
        if isinstance(one, (dict, list)) and one:
            nested = list(_lines(one))
            if name is None:
                yield f"- {nested[0]}"
                yield from (f"  {line}" for line in nested[1:])
            else:
                yield head
                yield from (f"  {line}" for line in nested)
        elif isinstance(one, Block):
            yield f"{head} |"
            yield from (f"  {line}" if line else "" for line in one.text.split("\n"))
        else:
            yield f"{head} {_scalar(one)}"


class Block:
    """Text that is written line by line."""

    def __init__(self, text: str) -> None:
        self.text = text


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    return _text(value) if isinstance(value, str) else "{}" if isinstance(value, dict) else "[]"


def _text(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    return '"' + "".join(map(_character, text)) + '"'


def _character(one: str) -> str:
    if one in '"\\':
        return f"\\{one}"
    if 0xD800 <= ord(one) < 0xE000:
        raise BadInput(
            f"{one!r} cannot be written to a YAML file.", "Use UTF-8 for names and values."
        )
    return one if one.isprintable() else f"\\U{ord(one):08x}"
