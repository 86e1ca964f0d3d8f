"""Make ``mw_digits`` known to TensorFlow Datasets without importing it here.

A builder is registered by defining its class, which needs ``tensorflow_datasets``: half a second
that a program without TFDS should not pay. So the class is defined when TFDS is imported, or at
once if it already was.
"""

from __future__ import annotations

import importlib

from mwtutor.system.importhook import when_imported


def register() -> None:
    """Register the builder ``mw_digits`` now, importing TensorFlow Datasets.

    Importing ``mwtutor.datasets`` is enough in an ordinary program.
    """
    importlib.import_module("mwtutor.datasets.tfds_digits")


def register_with_tfds() -> None:
    """Register now if TFDS has been imported, else when it is."""
    when_imported("tensorflow_datasets", lambda module: register())
