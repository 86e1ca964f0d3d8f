"""Make a process's standard streams safe to write to: closed, full, or with a limited encoding."""

from __future__ import annotations

import codecs
import contextlib
import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any, TextIO

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
    """Text that is redrawn: in place on a terminal, and below the previous text elsewhere."""

    def __init__(self) -> None:
        self._height = 0

    def show(self, text: str) -> None:
        if not sys.stdout.isatty():
            print(text, flush=True)
            return
        width = shutil.get_terminal_size().columns
        lines = [line[: width - 1] for line in text.splitlines()]  # a wrapped line takes two rows
        up = f"\x1b[{self._height}A" if self._height else ""
        sys.stdout.write(up + "".join(f"\x1b[2K{line}\n" for line in lines) + "\x1b[J")
        sys.stdout.flush()
        self._height = len(lines)
