"""Make a process's standard streams safe to write to: closed, full, or with a limited encoding."""

from __future__ import annotations

import codecs
import contextlib
import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any, TextIO

from mwtutor.display.words import cut

#: Replacements for mwtutor's own characters on terminals that lack them.
_PLAIN = {"·": "-", "…": "..."}


class Output:
    """Standard output; it records write errors, which some callers of ``print`` do not report.

    Attributes:
        error: the error if some text could not be written; None if all of it was.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.error: OSError | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        with self._noting():
            return self._stream.write(text)

    def flush(self) -> None:
        with self._noting():
            self._stream.flush()

    def let_go(self) -> None:
        """Write as much as possible; the interpreter would retry the rest, and report an error."""
        with contextlib.suppress(OSError):
            self.flush()
        _forget_if_failing(self._stream)

    @contextlib.contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.error = error
            raise


@contextlib.contextmanager
def prepare() -> Iterator[Output]:
    """Standard streams that accept every character; text written to a closed one is discarded."""
    _reserve_descriptors()
    codecs.register_error("mwtutor", _spell)
    before = sys.stdout, sys.stderr
    with open(os.devnull, "w") as nowhere:
        streams = [stream or nowhere for stream in before]
        for stream in streams:
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="mwtutor")
        output = Output(streams[0])
        sys.stdout, sys.stderr = output, streams[1]
        try:
            yield output
        finally:
            sys.stdout, sys.stderr = before


def complain(text: str) -> None:
    """Write to standard error, if possible."""
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)
    _forget_if_failing(sys.stderr)


def _reserve_descriptors() -> None:
    """Keep later files from getting the descriptor of a closed standard stream."""
    with contextlib.suppress(OSError):
        while (lowest := os.open(os.devnull, os.O_RDWR)) <= 2:
            os.set_inheritable(lowest, True)
        os.close(lowest)


def _forget_if_failing(stream: TextIO) -> None:
    try:
        stream.flush()
    except OSError:
        with contextlib.suppress(OSError), open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())


def _spell(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    odd = error.object[error.start : error.end]
    spelled = (
        _PLAIN.get(char) or char.encode("ascii", "backslashreplace").decode() for char in odd
    )
    return "".join(spelled), error.end


class Redrawn:
    """Text that is redrawn: in place on a terminal, and below the previous text elsewhere.

    Args:
        stream: the output stream; standard output by default.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self._height = 0

    @property
    def in_place(self) -> bool:
        return self._stream.isatty() and not is_dumb()

    def show(self, text: str, *, last: bool = False) -> None:
        """Replace the previous text.

        Args:
            last: whether nothing will replace this text, so that all of it can be shown.
        """
        lines = text.splitlines()
        if self.in_place:
            if not last:
                lines = _fitting(lines)
            up = f"\x1b[{self._height}A" if self._height else ""
            self._stream.write(f"{up}\x1b[J")  # also what is left of lines that wrapped
            self._height = len(lines)
        self._stream.write("".join(f"{line}\n" for line in lines))
        self._stream.flush()


def is_dumb() -> bool:
    """Whether the terminal, such as a shell in Emacs, shows control sequences as characters."""
    return os.environ.get("TERM") == "dumb"


def _fitting(lines: list[str]) -> list[str]:
    """The lines that a terminal can redraw: none that wraps, and no more than it has rows."""
    width, height = shutil.get_terminal_size()
    if len(lines) >= height:
        shown = max(height - 2, 0)
        lines = [*lines[:shown], f"… {len(lines) - shown} more lines"]
    return [cut(line, width) for line in lines]
