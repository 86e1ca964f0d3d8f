"""The features that a worker's kernel adds to IPython's."""

from __future__ import annotations

import asyncio
import io
import logging
import os
import sys
import threading
from collections.abc import Iterator

import pytest
import zmq
from ipykernel.iostream import IOPubThread
from jupyter_client.session import Session

from mwtutor.worker import cell_kernel


def test_variables_of_the_environment_are_as_before(monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", "mine")
    monkeypatch.delenv("ABSENT", raising=False)
    with cell_kernel._environment(IPYTHONDIR="private", ABSENT="1"):
        assert (os.environ["IPYTHONDIR"], os.environ["ABSENT"]) == ("private", "1")
    assert os.environ["IPYTHONDIR"] == "mine"
    assert "ABSENT" not in os.environ


def test_loggers_write_where_cells_print_and_others_where_they_did(monkeypatch):
    old, new, file = io.StringIO(), io.StringIO(), io.StringIO()
    of_the_stream, of_a_file = logging.StreamHandler(old), logging.StreamHandler(file)
    logger = logging.getLogger("mwtutor-tests")
    monkeypatch.setattr(logger, "handlers", [of_the_stream, of_a_file])
    monkeypatch.setattr(sys, "stderr", new)
    cell_kernel._redirect_handlers((io.StringIO(), old))
    logger.warning("said")
    assert (old.getvalue(), new.getvalue(), file.getvalue()) == ("", "said\n", "said\n")


class Log(io.StringIO):
    """Records each write."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[str] = []

    def write(self, text: str) -> int:
        self.writes.append(text)
        return super().write(text)


@pytest.fixture
def stream() -> Iterator[cell_kernel.CellStream]:
    """A stream whose kernel's thread is not started: the test runs its loop."""
    context = zmq.Context()
    thread = IOPubThread(context.socket(zmq.PUB))
    stream = cell_kernel.CellStream(Session(key=b""), thread, "stdout", watchfd=False)
    stream.echo = Log()
    yield stream
    stream.close()
    thread.io_loop.close()
    context.destroy(linger=0)


def test_a_printed_line_is_written_to_the_log_as_one_piece(stream):
    print("line", 1, file=stream)
    assert stream.echo.writes == ["line 1\n"]


def test_an_incomplete_line_is_written_when_the_stream_is_flushed_or_after_a_moment(stream):
    print("half", end="", file=stream, flush=True)
    assert stream.echo.writes == ["half"]
    print(" of it", end="", file=stream)

    async def written() -> None:
        while stream.echo.writes != ["half", " of it"]:
            await asyncio.sleep(0.01)

    stream.pub_thread.io_loop.run_sync(written, timeout=10)


def test_lines_of_several_threads_keep_their_order(stream):
    stream.write("main ")
    other = threading.Thread(target=print, args=("other",), kwargs={"file": stream})
    other.start()
    other.join()
    stream.write("again\n")
    assert stream.echo.getvalue() == "main other\nagain\n"


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")  # zmq's
def test_a_forked_process_writes_only_its_own_text(stream):
    stream.write("of the parent ")
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        stream.echo = log = Log()
        print("child", end="", file=stream)
        written = log.getvalue()
        stream.flush()
        os.write(write, f"{written}, then {log.getvalue()}".encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read, 100) == b"child, then child"
    print("and more", file=stream)
    assert stream.echo.getvalue() == "of the parent and more\n"


def test_only_text_is_written(stream):
    with pytest.raises(TypeError):
        stream.write(b"bytes")
