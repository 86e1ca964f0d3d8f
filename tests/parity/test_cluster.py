"""The report about a cluster that ended without the results of its rows."""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path

from tests.parity.cluster import excerpt, whats_printed


def _ended(directory: Path, name: str, text: str, how: int):
    log = directory / name / "task0.log"
    log.parent.mkdir()
    log.write_text(text)
    process = multiprocessing.get_context("fork").Process(target=_end, args=(how,))
    process.start()
    process.join()
    return log, process


def _end(how: int) -> None:
    if how < 0:
        os.kill(os.getpid(), -how)
    os._exit(how)


def test_a_worker_that_was_killed_shows_what_failed_beside_it(tmp_path):
    waited, one = _ended(tmp_path, "2", "--- sgd\n--- adam\n", -signal.SIGKILL)
    stuck, other = _ended(tmp_path, "0", "--- sgd\n--- nadam\nTimeout (0:05:00)!\n", 1)
    shown = excerpt(whats_printed({waited: one, stuck: other})[waited], "adam")
    assert shown.startswith("--- adam\n")
    assert shown.endswith("=== 0/task0.log ended with 1:\n\n--- nadam\nTimeout (0:05:00)!\n")


def test_of_a_long_log_the_row_is_shown_from_its_beginning():
    log = f"--- sgd\n--- adam\nTimeout{'.' * 9000}main\n--- nadam\n"
    shown = excerpt(log, "adam")
    assert shown.startswith("--- adam\nTimeout")
    assert shown.endswith("main\n--- nadam\n")
    assert len(shown) < 6100
