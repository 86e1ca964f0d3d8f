"""Handwritten digits that need no network, and MNIST where it is available.

- ``digits.load()`` and ``digits.as_dataset()``: 1,797 real images embedded in this package.
- ``load_mnist()``: the real MNIST where it is prepared or can be downloaded, else those digits;
  it prints which.
- ``tfds.load("mw_digits")``: the same digits for TensorFlow Datasets, once this package is
  imported.

Importing the package takes almost no time: the first function that needs TensorFlow or TensorFlow
Datasets imports it. ``README.md`` in this directory has the source and license of the images.
"""

from __future__ import annotations

import importlib

from mwtutor.datasets import digits
from mwtutor.datasets.mnist import Mnist, Source, load_mnist
from mwtutor.system.importhook import when_imported

__all__ = ["Mnist", "Source", "digits", "load_mnist", "register"]


def register() -> None:
    """Register the builder ``mw_digits`` now, importing TensorFlow Datasets.

    Importing ``mwtutor.datasets`` is enough in an ordinary program.
    """
    importlib.import_module("mwtutor.datasets.tfds_digits")


# Defining a builder's class registers the builder. This needs tensorflow_datasets, whose import
# takes half a second that a program without TFDS should not spend. So the class is defined when the
# program imports TFDS, or now if TFDS is already imported.
when_imported("tensorflow_datasets", lambda module: register())
