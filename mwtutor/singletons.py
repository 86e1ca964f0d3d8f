"""Objects that exist once per process: its engines, its fork server, the runs it has launched.

Each kind is a class next to the code that needs it, and is created on first use:
``singleton(Kind)``. One object contains them all, so a test can replace it to simulate a new
process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

_One = TypeVar("_One")


class Singletons:
    """One object of each kind.

    Args:
        kept: objects to begin with.
    """

    def __init__(self, *kept: object) -> None:
        self._made: dict[Any, Any] = {type(one): one for one in kept}
        self._making = threading.RLock()  # creating one object may require another

    def get(self, kind: Callable[[], _One]) -> _One:
        """The one object of this class."""
        with self._making:
            if kind not in self._made:
                self._made[kind] = kind()
            made: _One = self._made[kind]
            return made


#: The objects of this process.
current = Singletons()


def singleton(kind: Callable[[], _One]) -> _One:
    """The one object of this class in this process."""
    return current.get(kind)
