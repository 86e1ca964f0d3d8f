"""A summary of samples: the calls as a tree, and the paths that took most of the time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mwtutor.run.observations.samples import Visit
from mwtutor.run.observations.stacks import Frame
from mwtutor.system.child import is_installed


@dataclass
class Call:
    """A call, and the calls below it.

    Attributes:
        own: whether it is in the program's own code, as opposed to that of a library.
        seconds: how long the thread was in it.
        waiting: the part of these seconds in code with a collective.
        calls: the calls below it, in the order in which they were made.
    """

    frame: Frame
    own: bool
    seconds: float = 0.0
    waiting: float = 0.0
    calls: dict[object, Call] = field(default_factory=dict)

    def below(self) -> list[Call]:
        """The calls below this one, longest first."""
        return sorted(self.calls.values(), key=lambda call: -call.seconds)

    @property
    def depth(self) -> int:
        return 1 + max((call.depth for call in self.calls.values()), default=0)


#: Files whose functions only call the function that they decorate, and so explain nothing.
_DECORATORS = ("traceback_utils.py",)


def is_own(frame: Frame) -> bool:
    return not is_installed(frame.file)


def relevant(frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """The program's own first frame and everything inside it; all frames if none is its own."""
    frames = tuple(frame for frame in frames if not frame.file.endswith(_DECORATORS))
    first = next((place for place, frame in enumerate(frames) if is_own(frame)), 0)
    return frames[first:]


def tree(visits: Iterable[Visit]) -> list[Call]:
    """The outermost calls, longest first.

    Calls of a library count as the same whatever line they have reached; calls of the program are
    distinguished by line.
    """
    root = Call(Frame("", 0, ""), own=False)
    for visit in visits:
        call = root
        for frame in relevant(visit.frames):
            own = is_own(frame)
            key = (frame.file, frame.function, frame.line if own else 0)
            call = call.calls.setdefault(key, Call(frame, own))
            call.seconds += visit.seconds
            call.waiting += visit.seconds * visit.waits
    return root.below()


@dataclass(frozen=True)
class Way:
    """Where a thread was, in brief.

    Attributes:
        own: the calls in the program's own code.
        library: the first and the last call of a library below them, if any.
        waits: whether it was in code with a collective.
        seconds: how long it was there.
    """

    own: tuple[Frame, ...]
    library: tuple[Frame, ...]
    waits: bool
    seconds: float


def ways(visits: Iterable[Visit]) -> list[Way]:
    """Where the time went, longest first."""
    found: dict[object, Way] = {}
    for visit in visits:
        own, library = _divided(relevant(visit.frames))
        key = (
            tuple((frame.file, frame.function, frame.line) for frame in own),
            tuple((frame.file, frame.function) for frame in library),
            visit.waits,
        )
        before = found[key].seconds if key in found else 0.0
        found[key] = Way(own, library, visit.waits, before + visit.seconds)
    return sorted(found.values(), key=lambda way: -way.seconds)


def _divided(frames: tuple[Frame, ...]) -> tuple[tuple[Frame, ...], tuple[Frame, ...]]:
    """The program's own frames, and the first and the last of the library's frames below them."""
    own = tuple(filter(is_own, frames))
    last = max((place for place, frame in enumerate(frames) if is_own(frame)), default=-1)
    library = frames[last + 1 :]
    return own, library[:1] + library[1:][-1:]


def others(visits: Iterable[Visit]) -> Iterator[Visit]:
    """The samples of threads other than the main one that execute the program's own code."""
    return (visit for visit in visits if not visit.main and any(map(is_own, visit.frames)))
