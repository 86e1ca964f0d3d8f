"""Features that only Linux has. Code that needs one asks here, so tests can turn it off."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Final

#: Whether this is Linux. With ``MWTUTOR_LINUX=no``, code on Linux takes the paths of other systems.
LINUX: Final = sys.platform == "linux" and os.environ.get("MWTUTOR_LINUX") != "no"

#: The directory with ``proc`` and ``sys``; on other systems, a path that does not exist.
ROOT: Final = Path("/" if LINUX else "/nonexistent")

#: Where the kernel describes its processes.
PROC: Final = ROOT / "proc"

#: The directory that lists the open descriptors of the process that reads it.
FDS: Final = PROC / "self/fd" if LINUX else Path("/dev/fd")


def monotonic() -> float:
    """Seconds since this machine started, suspension included, by a clock that cannot be set."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if LINUX else time.monotonic()
