"""What there is one of in a process: its engines, its fork server, the runs that it has launched.

Each kind is a class beside the code that needs it, and is made when it is first asked for:
``the(Kind)``. All are held by one object, so that a test puts another in its place and has a
process that has done nothing yet.
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
        self._making = threading.RLock()  # to make one may need another

    def the(self, kind: Callable[[], _One]) -> _One:
        """The one object of this class."""
        with self._making:
            if kind not in self._made:
                self._made[kind] = kind()
            made: _One = self._made[kind]
            return made


#: Those of this process.
current = Singletons()


def the(kind: Callable[[], _One]) -> _One:
    """The one object of this class in this process."""
    return current.the(kind)
