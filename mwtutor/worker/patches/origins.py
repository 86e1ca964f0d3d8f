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

#: The file of mwtutor that adds exchanges to a program.
_OURS = f"{child.OURS}bridges/keras3/all_gather.py"

#: Maximum number of frames that are searched for the program's own.
_DEEPEST = 200

#: See :class:`~mwtutor.worker.ledger.Place`.
Branches = tuple[tuple[int, bool], ...]

#: Maximum number of lines that are kept, and of operations of one line.
_MOST = 4096


@dataclass(slots=True)
class Site:
    """A position in the program's code, in one ledger.

    Attributes:
        code: the code object, kept so that no other code object gets its id.
        number: the number of its place in the ledger.
        operations: the eager operations that it requested, by their properties: the number of each,
            and the size of its input in bytes.
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

#: The results of :func:`_owner`, by file.
_owners: dict[str, str | None] = {}
_PROGRAM, _LAYER = "the program", "a compatibility layer"

#: The code that TensorFlow executes in a pool of threads to exchange data outside of functions, and
#: the frame that requests it.
in_pool: CodeType | None = None
caller: FrameType | None = None

#: The latest results: the code between an exchange and the program's innermost line, from the
#: inside out, and whether any of it is a compatibility layer's.
_ways: list[tuple[tuple[CodeType, ...], bool]] = []
_MOST_WAYS = 4


def program_line(noting: Ledger) -> tuple[Site, bool]:
    """The program's own innermost line; if this thread has none, that of its main thread.

    The second value is whether a compatibility layer requests the exchange, and not the program or
    its libraries.
    """
    return _line(noting, sys._getframe(1), [])


def program_line_again(noting: Ledger, frame: FrameType) -> tuple[Site, bool]:
    """The same, from this frame on; faster if the same code has led to an exchange before.

    Each frame's code object is compared but not read, because it is not in the processor's caches.
    """
    for passed, ours in _ways:
        at: Any = frame
        for code in passed:
            if at is None or at.f_code is not code:
                break
            at = caller if code is in_pool else at.f_back
        else:
            site = None if at is None else _sites.get((id(at.f_code), at.f_lasti))
            if site is not None and site.noting is noting:
                return site, ours
    between: list[CodeType] = []
    site, ours = _line(noting, frame, between)
    if (way := (tuple(between), ours)) not in _ways and len(between) < _DEEPEST:
        _ways.insert(0, way)
        del _ways[_MOST_WAYS:]
    return site, ours


def _line(noting: Ledger, frame: FrameType | None, between: list[CodeType]) -> tuple[Site, bool]:
    found, ours = _own(frame, between)
    if found is None and threading.current_thread() is not threading.main_thread():
        found, _ = _own(sys._current_frames().get(threading.main_thread().ident or 0), [])
    code, at = (None, 0) if found is None else (found.f_code, found.f_lasti)
    site = _sites.get((id(code), at))
    if site is None or site.noting is not noting:
        if len(_sites) >= _MOST:
            _sites.clear()
        place = Place() if found is None else _place(found)
        site = _sites[id(code), at] = Site(noting, code, place, noting.place(place))
    return site, ours


def _own(frame: FrameType | None, between: list[CodeType]) -> tuple[FrameType | None, bool]:
    """The program's innermost frame; adds the code of those inside it to ``between``."""
    ours = False
    known = _owners
    for _ in range(_DEEPEST):
        if frame is None:
            break
        code = frame.f_code
        file = code.co_filename
        owner = known[file] if file in known else _owner(file)
        if owner == _PROGRAM:
            return frame, ours
        ours = ours or owner == _LAYER
        between.append(code)
        frame = (code is in_pool and caller) or frame.f_back
    return None, ours


def _owner(file: str) -> str | None:
    """What a file belongs to: the program or a compatibility layer; None means anything else."""
    if len(_owners) >= _MOST:
        _owners.clear()
    if file == _OURS:
        owner: str | None = _LAYER
    elif child.is_installed(file) or "__autograph_generated_file" in file:
        owner = None
    else:
        owner = _PROGRAM
    _owners[file] = owner
    return owner


def _is_users(file: str) -> bool:
    return (_owners[file] if file in _owners else _owner(file)) == _PROGRAM


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

    Inside a loop, the statements outside it do not count, because a task stays in one of their
    branches.
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
        if _is_users(frame.filename):
            cell = ledger.cells.get(frame.filename, 0)
            return Place(frame.filename[-300:], frame.lineno, frame.name, cell)
    return None
