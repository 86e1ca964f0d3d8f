"""Show the commands in a message as a user types them where the message is shown.

In a message, ``@mw_stop main`` stands for ``%mw_stop main`` in a notebook and ``mwtutor stop main``
in a terminal or a program. A command that only one of them has is written as it is typed there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

_ANY = "@mw_"


@dataclass(frozen=True)
class Style:
    """How a command is written in an interface."""

    prefix: str

    def verb(self, name: str) -> str:
        return f"{self.prefix}{name}"

    def help(self, name: str) -> str:
        return f"{self.verb(name)}?" if self.prefix.startswith("%") else f"{self.verb(name)} --help"

    def render(self, message: str) -> str:
        return message.replace(_ANY, self.prefix)


MAGIC = Style("%mw_")
TERMINAL = Style("mwtutor ")


class Interface:
    """The style in which this process shows commands; the magics and the command line set it."""

    style: ClassVar[Style] = TERMINAL


def as_typed_here(message: str) -> str:
    """The message, with its commands as the user of this process types them."""
    return Interface.style.render(message)
