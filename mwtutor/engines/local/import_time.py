"""Settings, and changes of packages, that take effect in a new process but not in a forked task."""

from __future__ import annotations

import ast
import os
import re
import site
import sys
from dataclasses import dataclass

from mwtutor.run.request.program import Script

#: Variables, by prefix, that affect only a process started with them; each is tested in
#: ``test_import_time.py``. Not included, since they still act in a forked task:
#: ``TF_NUM_INTRAOP_THREADS``, ``TF_NUM_INTEROP_THREADS``; ``TF_XLA_FLAGS`` and ``XLA_FLAGS``, which
#: XLA reads when it first compiles; and ``GRPC_*``, which gRPC reads when it starts.
IMPORT_TIME = (
    "TF_CPP_",
    "TF_ENABLE_ONEDNN_OPTS",
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
    "MPLBACKEND",
)

#: The names of Keras 3's backends other than TensorFlow.
_OTHER_BACKENDS = {"jax", "torch", "numpy", "openvino"}

_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]+")


def import_time_changes(server: dict[str, str], task: dict[str, str]) -> str:
    """The settings of a task that differ from those of its fork server.

    Returns:
        A clause such as ``OMP_NUM_THREADS takes effect only in a new process``; empty if there are
        none.
    """
    changed = sorted(
        name
        for name in server.keys() | task.keys()
        if name.startswith(IMPORT_TIME) and server.get(name) != task.get(name)
    )
    if not changed:
        return ""
    return (
        f"{', '.join(changed)} take{'s' if len(changed) == 1 else ''} effect only in a new process"
    )


def import_time_settings(script: Script) -> str:
    """Which of these variables a script names, presumably to set them before it imports TensorFlow.

    Variables that do not change what a program computes are left out: the level of TensorFlow's own
    messages, and the Keras backend where the script names TensorFlow and no other.

    Returns:
        A clause like that of :func:`import_time_changes`; empty if there are none.
    """
    said = {
        node.value
        for node in ast.walk(script.tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    on_tensorflow = "tensorflow" in said and not said & _OTHER_BACKENDS
    left_out = ("TF_CPP_", "KERAS_BACKEND") if on_tensorflow else ("TF_CPP_",)
    names = sorted(
        name
        for name in said
        if _VARIABLE.fullmatch(name)
        and name.startswith(IMPORT_TIME)
        and not name.startswith(left_out)
    )
    if not names:
        return ""
    return f"{script.path.name} names {', '.join(names)}, which only a new process reads"


@dataclass(frozen=True)
class Fingerprint:
    """A fingerprint of the installed packages: directories change when packages do."""

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
