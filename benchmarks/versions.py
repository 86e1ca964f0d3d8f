"""The versions with which a benchmark was run."""

from __future__ import annotations

import os
import sys
import time
from importlib.metadata import version

import mwtutor


def versions(*more: str) -> dict[str, str]:
    """Versions of Python, mwtutor, TensorFlow, Keras and ``more``; the cores, and today's date."""
    return {
        "python": sys.version.split()[0],
        "mwtutor": mwtutor.__version__,
        **{name: version(name) for name in ("tensorflow", "keras", *more)},
        "cores": str(os.cpu_count()),
        "date": time.strftime("%Y-%m-%d"),
    }
