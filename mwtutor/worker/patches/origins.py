"""Which line of the program requests an exchange.

The stack is walked for each exchange, but a line is described only once: the result is kept, by
code object and position.
"""

from __future__ import annotations

import ast
import functools
import linecache
import sys
import threading
import warnings
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

from mwtutor.system import child
from mwtutor.worker import ledger
from mwtutor.worker.ledger import Ledger, Place

#: The file that adds mwtutor's own exchanges to a program.
_OURS = f"{child.OURS}bridges/keras3/exchange.py"

#: Maximum number of frames that are searched for the program's own.
_DEEPEST = 200

#: See :class:`~mwtutor.worker.ledger.Place`.
Branches = tuple[tuple[int, bool], ...]

#: Maximum number of lines that are kept, and of operations of one line.
_MOST = 4096


@dataclass
class Site:
    """A position in the program's code, in one ledger.

    Attributes:
        code: the code object, kept so that no other one gets its id.
        number: of the place, in the ledger.
        operations: by its properties, the number of each eager operation that it requested, and
            the size of its input in bytes.
    """

    noting: Ledger
    code: CodeType | None
    place: Place
    number: int
    operations: dict[Any, tuple[int, int]] = field(default_factory=dict)

    def remember(self, what: Any, known: tuple[int, int]) -> None:
        if len(self.operations) >= _MOST:
            self.operations.clear()
        self.operations[what] = known


_sites: dict[tuple[int, int], Site] = {}

#: Whether a file is the program's own.
_users: dict[str, bool] = {}


def program_line(noting: Ledger) -> tuple[Site, bool]:
    """The program's own innermost line; of its main thread, if this thread has none.

    The second value is whether a compatibility layer requests the exchange, and not the program or
    its libraries.
    """
    found, ours = _own(sys._getframe(1))
    if found is None and threading.current_thread() is not threading.main_thread():
        found, _ = _own(sys._current_frames().get(threading.main_thread().ident or 0))
    code, at = (None, 0) if found is None else (found.f_code, found.f_lasti)
    site = _sites.get((id(code), at))
    if site is None or site.noting is not noting:
        if len(_sites) >= _MOST:
            _sites.clear()
        place = Place() if found is None else _place(found)
        site = _sites[id(code), at] = Site(noting, code, place, noting.place(place))
    return site, ours


def _own(frame: FrameType | None) -> tuple[FrameType | None, bool]:
    ours = False
    for _ in range(_DEEPEST):
        if frame is None:
            break
        file = frame.f_code.co_filename
        users = _users.get(file)
        if users is None:
            users = _is_users(file)
        if users:
            return frame, ours
        if file == _OURS:
            ours = True
        frame = frame.f_back
    return None, ours


def _is_users(file: str) -> bool:
    if len(_users) >= _MOST:
        _users.clear()
    _users[file] = not child.is_installed(file) and "__autograph_generated_file" not in file
    return _users[file]


def _place(frame: FrameType) -> Place:
    code, line = frame.f_code, frame.f_lineno or 0
    file = code.co_filename
    inside = _branches(file).get(line, ())
    return Place(file[-300:], line, code.co_name, ledger.cells.get(file, 0), inside)


@functools.lru_cache(maxsize=64)
def _branches(file: str) -> dict[int, Branches]:
    """The ``if`` statements around each line of a file, the outermost first."""
    found: dict[int, Branches] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _find_branches(ast.parse("".join(linecache.getlines(file))), (), found)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        found.clear()
    return found


def _find_branches(around: ast.AST, inside: Branches, found: dict[int, Branches]) -> None:
    """Record the ``if`` statements around each line.

    Inside a loop, those outside it do not count, because a task stays in one of their branches.
    """
    if not isinstance(around, (ast.If, ast.With, ast.Try)):
        inside = ()
    for name in ("body", "orelse", "finalbody", "handlers"):
        here = inside
        if isinstance(around, ast.If):
            here = (*inside, (around.lineno, name == "body"))
        for part in getattr(around, name, ()):
            if isinstance(part, (ast.stmt, ast.ExceptHandler)):
                lines = range(part.lineno, (part.end_lineno or part.lineno) + 1)
                found.update(dict.fromkeys(lines, here))
                _find_branches(part, here, found)


def built_by() -> Place | None:
    """The program's own innermost line that is building an operation, if TensorFlow knows it."""
    from tensorflow.python.util import tf_stack

    for frame in reversed(tf_stack.extract_stack()):  # AutoGraph's lines count as the program's
        if _users.get(frame.filename) or _is_users(frame.filename):
            cell = ledger.cells.get(frame.filename, 0)
            return Place(frame.filename[-300:], frame.lineno, frame.name, cell)
    return None
