"""What a forked task could not honour: settings and packages read when TensorFlow is imported."""

from __future__ import annotations

import os
import site
import sys
from dataclasses import dataclass

#: Variables that act only on a process started with them, by their beginnings.
IMPORT_TIME = (
    "TF_CPP_",
    "TF_ENABLE_ONEDNN_OPTS",
    "XLA_FLAGS",
    "OMP_",
    "OPENBLAS_",
    "MKL_",
    "KMP_",
    "LD_",
    "PYTHON",
    "MALLOC_",
    "GLIBC_TUNABLES",
    "KERAS_",
    "PROTOCOL_BUFFERS_",
    "GRPC_",
)


def import_time_changes(server: dict[str, str], task: dict[str, str]) -> str:
    """Which settings a task wants that differ from what its fork server was started with.

    Returns:
        A clause such as ``XLA_FLAGS acts only on a new process``; empty if there are none.
    """
    changed = sorted(
        name
        for name in server.keys() | task.keys()
        if name.startswith(IMPORT_TIME) and server.get(name) != task.get(name)
    )
    if not changed:
        return ""
    return f"{', '.join(changed)} act{'s' if len(changed) == 1 else ''} only on a new process"


@dataclass(frozen=True)
class Fingerprint:
    """The installed packages, as seen from outside: directories change when packages do."""

    changed: tuple[tuple[str, int], ...]

    @classmethod
    def now(cls) -> Fingerprint:
        places = {*site.getsitepackages(), site.getusersitepackages()} & set(sys.path)
        seen = []
        for place in sorted(places):
            try:
                seen.append((place, os.stat(place).st_mtime_ns))
            except OSError:
                continue
        return cls(tuple(seen))
