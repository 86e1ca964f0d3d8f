"""Why the processes behind a launch ended, judged by what they left; TensorFlow is simulated."""

from __future__ import annotations

import os
import textwrap
from pathlib import Path

import pytest

from mwtutor.engines.local.engine import LocalEngine
from mwtutor.engines.local.forkserver_client import ForkServer
from mwtutor.exceptions import LaunchFailed
from mwtutor.system.child import ProcessContext
from tests.support.runs.specs import a_spec
from tests.support.waiting import until

NOISE = r"""
    import atexit, os, sys
    NOISE = (
        "WARNING: All log messages before absl::InitializeLog() is called are written to STDERR\n"
        "I0000 00:00:1795318600.10    9280 cudart_stub.cc:31] Could not find cuda drivers.\n"
        "E0000 00:00:1795318606.33    9280 cuda_platform.cc:52] failed call to cuInit: UNKNOWN "
        "ERROR (303)\n\n"
    )
    sys.stderr.write(NOISE)
    atexit.register(sys.stderr.write, NOISE)
"""

#: How the process ends, and how that is reported.
ENDS = [
    ("raise RuntimeError('the library is damaged')", "RuntimeError: the library is damaged"),
    ("os.kill(os.getpid(), 9)", "was killed by signal 9 (SIGKILL)"),
    ("sys.exit(3)", "exited with code 3"),
    ("sys.exit('libfoo.so.1 cannot be opened')", "libfoo.so.1 cannot be opened"),
]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Put a module before all others that mwtutor's processes import."""

    def put(name: str, end: str) -> None:
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(NOISE) + end + "\n")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    return put


@pytest.mark.parametrize(("end", "words"), ENDS)
def test_why_a_fork_server_died(module, end, words):
    module("tensorflow", end)
    server = ForkServer()
    server._process.wait(30)
    assert server.complaint() == words
    server.close()


def test_what_was_said_of_an_earlier_failure_is_not_the_reason_of_this_one(module):
    module("tensorflow", "sys.stderr.write('ValueError: of another launch\\n')")
    server = ForkServer()
    until(lambda: b"another launch" in os.pread(server._output.fileno(), 1 << 16, 0))
    printed = server.printed()
    server._process.kill()
    assert server.complaint(printed) == "was killed by signal 9 (SIGKILL)"
    server.close()


@pytest.mark.parametrize(("end", "words"), ENDS)
def test_why_a_cold_supervisor_died(module, tmp_path, end, words):
    module("psutil", end)
    (tmp_path / "logs").mkdir()
    run = a_spec(tmp_path, warm=False)
    with pytest.raises(LaunchFailed) as caught:
        LocalEngine().launch(run, ProcessContext.here("/"))
    assert caught.value.problem == f"The process that starts the tasks exited: {words}."
