"""The embedded handwritten digits: 1,797 real images in the format of MNIST.

Source: E. Alpaydin and C. Kaynak, "Optical Recognition of Handwritten Digits", UCI Machine Learning
Repository, 1998, https://doi.org/10.24432/C50P49 (its test set, as distributed with scikit-learn),
license CC BY 4.0. ``scripts/make_digits.py`` creates ``digits.npz`` from it: 1,500 images for
training and 297 for testing, 8x8 pixels of 0..16. A program gets them in a different order and
enlarged to 28x28 pixels of 0..255.

Nothing is downloaded and nothing is written, so any number of workers may load at once.
"""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from mwtutor.exceptions import BadInput

if TYPE_CHECKING:
    import tensorflow as tf

Split = Literal["train", "test"]
Arrays = tuple["npt.NDArray[np.uint8]", "npt.NDArray[np.uint8]"]
"""Images, shape ``(N, 28, 28, 1)``, 0 (paper) to 255 (ink); labels, shape ``(N,)``, 0 to 9."""

NUM_CLASSES = 10
_INK = 16  # the largest value in the source
_DIGIT = 20  # MNIST's digits are 20 pixels high ...
_MARGIN = 4  # ... in a field of 28


def load() -> tuple[Arrays, Arrays]:
    """Load the digits as ``keras.datasets.mnist.load_data()`` loads MNIST.

    Returns:
        ``(x_train, y_train), (x_test, y_test)``: uint8 images of shape ``(1500, 28, 28, 1)`` and
        ``(297, 28, 28, 1)``, 0 to 255; uint8 labels 0 to 9. The same arrays every time.
    """
    return load_split("train"), load_split("test")


def load_split(split: Split) -> Arrays:
    """Load one split: ``(images, labels)``.

    Raises:
        BadInput: ``split`` is neither "train" nor "test".
    """
    if split not in ("train", "test"):
        raise BadInput(f"The embedded digits have no split {split!r}.", 'Use "train" or "test".')
    with resources.files(__package__).joinpath("digits.npz").open("rb") as file:
        arrays = np.load(file)
        return enlarge(arrays[f"x_{split}"]), arrays[f"y_{split}"]


def as_dataset(split: Split = "train") -> tf.data.Dataset[Any]:
    """The digits as a ``tf.data.Dataset`` of ``(image, label)``, one example at a time.

    Elements are like those of ``tfds.load("mnist", as_supervised=True)``: a uint8 image of shape
    ``(28, 28, 1)`` and an int64 label. Create the strategy first, because this function starts
    TensorFlow.

    Raises:
        BadInput: ``split`` is neither "train" nor "test".
    """
    images, labels = load_split(split)
    import tensorflow as tf

    return tf.data.Dataset.from_tensor_slices((images, labels.astype(np.int64)))


def enlarge(small: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Scale images of 8x8 pixels, 0..16, to MNIST's 28x28x1 pixels, 0..255.

    Bilinear interpolation between pixel centers to 20x20, then a margin of 4 pixels all around:
    the layout of MNIST itself.

    Args:
        small: shape ``(N, 8, 8)``.

    Returns:
        uint8, shape ``(N, 28, 28, 1)``.
    """
    weights = _bilinear_weights(small.shape[-1], _DIGIT)
    large = weights @ small.astype(np.float32) @ weights.T
    ink = np.rint(large * (255 / _INK)).astype(np.uint8)
    return np.pad(ink, ((0, 0), (_MARGIN, _MARGIN), (_MARGIN, _MARGIN)))[..., np.newaxis]


def _bilinear_weights(old: int, new: int) -> npt.NDArray[np.float32]:
    """The ``(new, old)`` matrix that interpolates a line of ``old`` pixels at ``new`` centers."""
    centres = (np.arange(new) + 0.5) * old / new - 0.5
    distance = np.abs(np.clip(centres, 0, old - 1)[:, np.newaxis] - np.arange(old))
    return np.maximum(0, 1 - distance).astype(np.float32)
