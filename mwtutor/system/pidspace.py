"""The scope of a pid: one boot of one kernel, and one PID namespace."""

from __future__ import annotations

import functools
import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mwtutor.sanitize import harmless
from mwtutor.system.linux import LINUX


@functools.cache
def boot() -> str:
    """An identifier of this boot of the kernel, or of a machine without Linux; empty if unknown."""
    if not LINUX:
        return platform.node()
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


@dataclass(frozen=True)
class PidSpace:
    """The scope within which a pid identifies a process.

    Attributes:
        boot: identifies this boot of the kernel; empty if unknown.
        namespace: identifies the PID namespace; empty if unknown.
        host: the name of the machine or container, for display.
    """

    boot: str = ""
    namespace: str = ""
    host: str = ""

    @classmethod
    def here(cls) -> PidSpace:
        host = platform.node()
        if not LINUX:  # only Linux has namespaces
            return cls(host, host, host)
        try:
            # A /proc of another namespace numbers processes differently.
            own = os.readlink("/proc/self") == str(os.getpid())
            return cls(boot(), os.readlink("/proc/self/ns/pid") if own else "", host)
        except OSError:
            return cls("", "", host)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PidSpace:
        return cls(str(data["boot"]), str(data["namespace"]), harmless(data["host"]))

    def shares_boot(self, other: PidSpace) -> bool:
        return bool(self.boot) and self.boot == other.boot

    def shares_pids(self, other: PidSpace) -> bool:
        same = bool(self.namespace) and self.namespace == other.namespace
        return same and self.shares_boot(other)
