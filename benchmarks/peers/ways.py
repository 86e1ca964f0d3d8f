"""Start one launch in one of the ways, watch it through its marks, measure it, and clean up."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

#: The name of each way in tables, by the name of its driver.
WAYS = {
    "plain": "plain recipe",
    "runner": "multi_process_runner",
    "engines": "ipyparallel",
    "ray_train": "Ray Train",
    "ours": "mwtutor",
}

#: The environment variable that marks every process of a launch, whatever its parent is now.
_MARK = "BENCH_LAUNCH"

#: Seconds that one launch may take.
PATIENCE = 240.0


@dataclass(frozen=True)
class Mark:
    """A mark: a time (seconds since 1970), the id of a process, and more."""

    t: float
    pid: int
    more: dict[str, object]


class Launch:
    """A program that is being executed in one of the ways."""

    def __init__(self, directory: Path, driver: subprocess.Popen[bytes]) -> None:
        self.directory = directory
        self.driver = driver
        self._until = time.monotonic() + PATIENCE

    def mark(self, what: str) -> Mark | None:
        with contextlib.suppress(FileNotFoundError):
            said = json.loads((self.directory / what).read_text())
            return Mark(said.pop("t"), said.pop("pid"), said)
        return None

    def wait(self, *what: str, seconds: float = PATIENCE) -> list[Mark] | None:
        """All of these marks; None if the driver ends or the time runs out first."""
        until = min(self._until, time.monotonic() + seconds)
        while True:
            alive = self.driver.poll() is None
            marks = [mark for name in what if (mark := self.mark(name))]
            if len(marks) == len(what):
                return marks
            if not alive or time.monotonic() > until:
                return None
            time.sleep(0.005)

    def memory(self) -> float:
        """MiB of all processes of the launch except the driver, which represents a kernel that
        exists anyway.

        A shared page counts once (PSS).
        """
        total = 0
        for process in self._processes():
            if process.pid != self.driver.pid:
                with contextlib.suppress(psutil.Error):
                    total += process.memory_full_info().pss
        return total / 2**20

    def _processes(self) -> Iterator[psutil.Process]:
        # Some processes leave their parent; others overwrite the memory with their environment.
        below = set[int]()
        if self.driver.poll() is None:  # otherwise its pid may belong to another process
            below = {one.pid for one in psutil.Process(self.driver.pid).children(recursive=True)}
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if process.pid in below or process.environ().get(_MARK) == str(self.directory):
                    yield process

    def clear(self) -> None:
        """Kill all processes of the launch that are left."""
        for _ in range(100):
            left = [one for one in self._processes() if one.status() != psutil.STATUS_ZOMBIE]
            for process in left:
                with contextlib.suppress(psutil.Error):
                    process.send_signal(signal.SIGKILL)
            if not left:
                break
            time.sleep(0.05)
        self.driver.wait()


@contextmanager
def launched(
    way: str,
    workers: int,
    program: str,
    *,
    env: dict[str, str] | None = None,
    keras_2: bool = True,
    hold: tuple[int, ...] = (),
) -> Iterator[Launch]:
    """Execute a program in one of the ways; at the end, kill what is left of it.

    Args:
        hold: the tasks that wait before they join the cluster.
    """
    drivers = Path(__file__).parent / "drivers"
    with tempfile.TemporaryDirectory(prefix="peers-", ignore_cleanup_errors=True) as made:
        directory = Path(made)
        (directory / "main.py").write_text(program)
        for index in hold:
            (directory / f"hold-{index}").touch()
        with open(directory / "driver.log", "wb") as log:
            driver = subprocess.Popen(
                [sys.executable, drivers / f"{way}.py", str(workers), "2" if keras_2 else "3"],
                cwd=directory,
                env={
                    **os.environ,
                    **(env or {}),
                    **({"TF_USE_LEGACY_KERAS": "1"} if keras_2 and way != "ours" else {}),
                    "TF_CPP_MIN_LOG_LEVEL": "3",
                    "CUDA_VISIBLE_DEVICES": "-1",
                    "TMPDIR": made,
                    _MARK: made,
                },
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        launch = Launch(directory, driver)
        try:
            yield launch
        finally:
            if (said := launch.mark("said")) and os.environ.get("BENCH_VERBOSE"):
                print(f"    {way}: {said.more['text']}"[:600], flush=True)
            if os.environ.get("BENCH_VERBOSE") and driver.poll():
                print((directory / "driver.log").read_text(errors="replace")[-1500:], flush=True)
            launch.clear()


def gone(pids: list[int], seconds: float) -> Callable[[], float | None]:
    """A function that returns when the last of these processes ended, or None after ``seconds``."""

    def wait() -> float | None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if not any(_lives(pid) for pid in pids):
                return time.time()
            time.sleep(0.005)
        return None

    return wait


def _lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
