"""Multi-worker TensorFlow you can run in a notebook.

>>> %load_ext mwtutor
>>> %mw_launch 2 main.py --wait

The kernel that loads this package never imports TensorFlow: the names below are looked up on first
use.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from mwtutor.version import VERSION

if sys.platform == "win32":
    raise ImportError(
        "mwtutor does not run on Windows itself, which has no fork. Install it, and TensorFlow, in"
        " WSL, the Windows Subsystem for Linux."
    )

__version__ = VERSION

if TYPE_CHECKING:
    from mwtutor.board.board import tensorboard
    from mwtutor.bridges.keras3 import enable_keras3
    from mwtutor.chief import is_chief, write_filepath
    from mwtutor.cluster import ClusterSize, ClusterSpec, TaskId, parse_tf_config
    from mwtutor.diagnosis.checks import doctor
    from mwtutor.display.comparison import compare
    from mwtutor.exceptions import MwtutorError
    from mwtutor.find_runs import find, runs
    from mwtutor.launcher import launch
    from mwtutor.metrics import report
    from mwtutor.overview import Overview
    from mwtutor.run.run import Run
    from mwtutor.targets.task.schedulers import cluster_from_env

_PUBLIC = {
    "ClusterSize": "cluster",
    "ClusterSpec": "cluster",
    "MwtutorError": "exceptions",
    "Overview": "overview",
    "Run": "run.run",
    "TaskId": "cluster",
    "cluster_from_env": "targets.task.schedulers",
    "compare": "display.comparison",
    "doctor": "diagnosis.checks",
    "enable_keras3": "bridges.keras3",
    "find": "find_runs",
    "is_chief": "chief",
    "launch": "launcher",
    "parse_tf_config": "cluster",
    "report": "metrics",
    "runs": "find_runs",
    "tensorboard": "board.board",
    "write_filepath": "chief",
}

__all__ = [
    "ClusterSize",
    "ClusterSpec",
    "MwtutorError",
    "Overview",
    "Run",
    "TaskId",
    "cluster_from_env",
    "compare",
    "doctor",
    "enable_keras3",
    "find",
    "is_chief",
    "launch",
    "parse_tf_config",
    "report",
    "runs",
    "tensorboard",
    "write_filepath",
]


def __getattr__(name: str) -> Any:
    if name == "exercises":  # a package that most programs do not need
        return importlib.import_module("mwtutor.exercises")
    if name not in _PUBLIC:
        raise AttributeError(f"module 'mwtutor' has no attribute {name!r}")
    return getattr(importlib.import_module(f"mwtutor.{_PUBLIC[name]}"), name)


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext mwtutor``: register the magics, and start a fork server in the background."""
    from mwtutor.engines.local import forkserver_client
    from mwtutor.magics.names import register
    from mwtutor.system.linux import LINUX

    register(shell)
    if LINUX:  # on other systems, nothing is forked from it
        forkserver_client.server()
