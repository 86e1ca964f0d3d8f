"""Handwritten digits that need no network, and MNIST where it is available.

- ``digits.load()`` and ``digits.as_dataset()``: 1,797 real images embedded in this package.
- ``load_mnist()``: the real MNIST where it is prepared or can be downloaded, else those digits;
  it says which.
- ``tfds.load("mw_digits")``: the same digits for TensorFlow Datasets, once this is imported.

Importing this costs next to nothing: TensorFlow and TensorFlow Datasets are imported by the first
function that needs them. Source and licence of the images: ``README.md`` beside this file.
"""

from __future__ import annotations

from mwtutor.datasets import _tfds_registration, digits
from mwtutor.datasets.mnist import Mnist, Source, load_mnist

__all__ = ["Mnist", "Source", "digits", "load_mnist", "register"]

register = _tfds_registration.register
_tfds_registration.register_with_tfds()
