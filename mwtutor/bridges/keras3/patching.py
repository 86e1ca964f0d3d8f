"""Define a patch of Keras, and apply all patches together."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from mwtutor.exceptions import NotSupported

Function = Callable[..., Any]

_MARK = "__mwtutor_bridge__"

#: The public issue about multi-worker training with Keras 3.
SEVERAL_WORKERS = "https://github.com/keras-team/keras/issues/20585"


@dataclass(frozen=True)
class Patch:
    """One function of Keras and its replacement.

    Attributes:
        where: the module and, after a colon, the class: ``keras.src.layers.layer:Layer``.
        name: the function's name there.
        wrap: given the original, returns the replacement.
        why: what goes wrong without it.
        until: how to tell that it is no longer needed.
        since: the first Keras that needs it.
        issue: the public issue about it.
    """

    where: str
    name: str
    wrap: Callable[[Function], Function]
    why: str
    until: str
    since: str = "3.0"
    issue: str = SEVERAL_WORKERS

    def owner(self) -> Any:
        """The module or class whose attribute is replaced.

        Raises:
            NotSupported: this Keras has no such place.
        """
        module, _, attribute = self.where.partition(":")
        try:
            found: Any = importlib.import_module(module)
            if attribute:
                found = getattr(found, attribute)
            getattr(found, self.name)
        except (ImportError, AttributeError) as error:
            raise NotSupported(f"{self.where} has no {self.name}") from error
        return found


def row_passes(row: str) -> str:
    """The ``until`` of a patch: this row of the parity table passes without it."""
    return f"the parity row '{row}' passes without the bridge"


def apply(patches: Iterable[Patch]) -> None:
    """Apply all patches, or none if Keras lacks the place of one of them.

    If several patches replace the same function, each calls the one before it.

    Raises:
        NotSupported: a place does not exist; nothing was changed.
    """
    for owner, patch in [(patch.owner(), patch) for patch in patches]:
        original = getattr(owner, patch.name)
        applied = getattr(original, _MARK, ())
        if patch not in applied:
            replacement = functools.wraps(original)(patch.wrap(original))
            setattr(replacement, _MARK, (*applied, patch))
            setattr(owner, patch.name, replacement)
