"""The tree of errors, each of which shows two sentences::

    MwtutorError
    ├── BadInput             a typed or passed value cannot be used
    │   ├── BadCluster       a cluster or TF_CONFIG that is not valid
    │   └── BadProgram       a script that is missing, is not Python, or does not compile
    ├── NoRun                no run has that name
    ├── NotSupported         this TensorFlow, Keras, Python or machine cannot do it
    ├── LaunchFailed         the run could not be started
    ├── RunFailed            the run started but did not succeed
    ├── RunTimeout           the run is still running after the time allowed
    ├── Interrupted          a wait was interrupted; the run continues
    └── SessionError         a session cannot do what it was asked to
        ├── NoAnswer         a worker did not answer in time
        ├── CellFailed       a cell raised an exception; shows the worker's own traceback
        └── CellInterrupted  a cell was interrupted

Users read these sentences instead of a traceback: one says what is wrong, and one says what to do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mwtutor.interface import as_typed_here
from mwtutor.sanitize import colored, harmless


class MwtutorError(Exception):
    """Base of every error that mwtutor raises on purpose.

    Args:
        problem: one sentence on what is wrong.
        remedy: one sentence on what to do about it. In the sentence, ``@mw_`` stands for any
            interface's commands; see :mod:`mwtutor.interface`.
    """

    def __init__(self, problem: str, remedy: str = "") -> None:
        super().__init__(problem, remedy)
        # The sentences quote programs, file names and system call errors.
        self.problem = as_typed_here(harmless(problem))
        self.remedy = as_typed_here(harmless(remedy))

    def __str__(self) -> str:
        return f"{self.problem}\n{self.remedy}".strip()

    def _render_traceback_(self) -> list[str]:
        """The lines that IPython prints instead of mwtutor's traceback: the two sentences."""
        return [f"{type(self).__name__}: {self.problem}", *filter(None, [self.remedy])]


def message_of(error: BaseException) -> str:
    """The message of an error that is not mwtutor's own."""
    if isinstance(error, OSError) and error.strerror:
        of_what = f": {error.filename}" if error.filename is not None else ""
        return f"{error.strerror}{of_what}"
    # ``str`` omits the message of an OSError that was created from a message alone and then got a
    # file name, as in Python 3.13's rmtree.
    words = error.args[0] if isinstance(error, OSError) and len(error.args) == 1 else error
    return f"{type(error).__name__}: {words}"


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and its causes, nearest first."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


class BadInput(MwtutorError):
    """A typed or passed value cannot be used."""


class BadCluster(BadInput):
    """A cluster description or ``TF_CONFIG`` that is not valid."""


class BadProgram(BadInput):
    """A program that is missing, is not Python, or does not compile."""


class NoRun(MwtutorError):
    """No run has that name."""


class NotSupported(MwtutorError):
    """This TensorFlow, Keras, Python or machine cannot do what was asked."""


class LaunchFailed(MwtutorError):
    """The run could not be started, and left nothing behind."""


class RunFailed(MwtutorError):
    """The run started but did not succeed.

    Attributes:
        shown: whether a panel above already shows why.
    """

    shown = False

    def _render_traceback_(self) -> list[str]:
        if not self.shown:
            return super()._render_traceback_()
        return [f"{type(self).__name__}: the panel above says why."]


class RunTimeout(MwtutorError):
    """The run is still running after the time allowed for waiting."""


class Interrupted(MwtutorError):
    """A wait was interrupted; the run or cell continues."""


class SessionError(MwtutorError):
    """A session cannot do what it was asked to, or has ended."""


class NoAnswer(SessionError):
    """A worker did not answer in time."""


class CellFailed(SessionError):
    """A cell raised an exception in a worker.

    Args:
        problem: the worker and the exception that it raised.
        remedy: the consequences, and what to do.
        traceback: the worker's own, as IPython rendered it there.
    """

    def __init__(self, problem: str, remedy: str = "", traceback: Sequence[str] = ()) -> None:
        super().__init__(problem, remedy)
        self.traceback = tuple(traceback)

    def _render_traceback_(self) -> list[str]:
        shown = ["\n".join(map(colored, part.split("\n"))) for part in self.traceback]
        return [*shown, *filter(None, [self.problem, self.remedy])]


class CellInterrupted(SessionError):
    """A cell was interrupted."""
