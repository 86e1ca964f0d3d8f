"""Create ``mwtutor/datasets/digits.npz`` from the handwritten digits in scikit-learn.

Run it once, in any environment with scikit-learn (the package itself does not need it):

    python scripts/make_digits.py

The data is the 1,797 images of the test part of the UCI dataset "Optical Recognition of Handwritten
Digits" (E. Alpaydin and C. Kaynak, 1998, https://doi.org/10.24432/C50P49), under the Creative
Commons Attribution 4.0 license. The images are stored unchanged, 8x8 pixels from 0 to 16; only
their order is changed, so that both parts of the split are alike.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

TARGET = Path(__file__).parents[1] / "mwtutor" / "datasets" / "digits.npz"
TRAIN_EXAMPLES = 1500
"""1,500 divides by 2, 3, 4, 5, 6, 10 ... workers; the other 297 images are the test part."""


def main() -> None:
    """Shuffle once with a fixed seed, split, and write the four arrays."""
    pixels, labels = load_digits(return_X_y=True)
    # RandomState, not default_rng: its stream is guaranteed never to change.
    order = np.random.RandomState(1998).permutation(len(labels))
    images = pixels[order].reshape(-1, 8, 8).astype(np.uint8)
    labels = labels[order].astype(np.uint8)
    cut = TRAIN_EXAMPLES
    np.savez_compressed(
        TARGET, x_train=images[:cut], y_train=labels[:cut], x_test=images[cut:], y_test=labels[cut:]
    )
    digest = hashlib.sha256(images.tobytes() + labels.tobytes()).hexdigest()
    print(f"{TARGET}: {TARGET.stat().st_size:,} bytes, images and labels sha256 {digest}")


if __name__ == "__main__":
    main()
