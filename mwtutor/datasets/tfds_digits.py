"""``mw_digits``: the embedded digits as a TensorFlow Datasets builder.

Importing this module registers the builder; ``import mwtutor.datasets`` takes care of that.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import tensorflow_datasets as tfds

from mwtutor.datasets import digits
from mwtutor.datasets._state import hold_lock, state_dir

_CITATION = """\
@misc{alpaydin1998optical,
  author = {Alpaydin, E. and Kaynak, C.},
  title = {Optical Recognition of Handwritten Digits},
  year = {1998},
  howpublished = {UCI Machine Learning Repository},
  doi = {10.24432/C50P49},
}
"""


#: Files of each split. `AutoShardPolicy.AUTO` gives each worker its own files, and fails if there
#: are fewer files than workers. This number is divisible by 2, 3, 4 and 6.
_FILES = 12


class MwDigits(tfds.core.GeneratorBasedBuilder):  # type: ignore[misc]
    """1,797 handwritten digits with the features of TFDS's own ``mnist``, without a download.

    Several processes may prepare it at once in the same empty directory: one of them does the work
    under a file lock, and the others wait and then read the result.
    """

    VERSION = tfds.core.Version("1.1.0")
    RELEASE_NOTES: ClassVar[dict[str, str]] = {
        "1.0.0": "1,500 train and 297 test images.",
        "1.1.0": f"{_FILES} files for each split.",
    }

    def _info(self) -> Any:
        return tfds.core.DatasetInfo(
            builder=self,
            description="UCI optical digits (CC BY 4.0), converted to MNIST's format by mwtutor.",
            features=tfds.features.FeaturesDict(
                {
                    "image": tfds.features.Image(shape=(28, 28, 1)),
                    "label": tfds.features.ClassLabel(num_classes=digits.NUM_CLASSES),
                }
            ),
            supervised_keys=("image", "label"),
            homepage="https://archive.ics.uci.edu/dataset/80",
            citation=_CITATION,
        )

    def _split_generators(self, dl_manager: object) -> dict[str, Iterator[tuple[int, Any]]]:
        return {"train": self._generate_examples("train"), "test": self._generate_examples("test")}

    def _generate_examples(self, split: digits.Split) -> Iterator[tuple[int, dict[str, Any]]]:
        images, labels = digits.load_split(split)
        for key, (image, label) in enumerate(zip(images, labels, strict=True)):
            yield key, {"image": image, "label": int(label)}

    def download_and_prepare(self, *, download_config: Any = None, **kwargs: Any) -> None:
        """As in every builder, but only one process prepares the data at a time."""
        config = download_config or tfds.download.DownloadConfig(num_shards=_FILES)
        with hold_lock(state_dir(Path(self.data_dir_root)) / f"{self.name}.lock"):
            super().download_and_prepare(download_config=config, **kwargs)
        self._read_what_another_prepared()

    def is_prepared(self) -> bool:
        """As in every builder."""
        prepared = bool(super().is_prepared())
        if prepared:
            self._read_what_another_prepared()
        return prepared

    def _read_what_another_prepared(self) -> None:
        # TFDS reads the splits when a builder is created, which is too early while another process
        # prepares the data.
        if not self.info.splits:
            self.info.read_from_directory(self.data_dir)
