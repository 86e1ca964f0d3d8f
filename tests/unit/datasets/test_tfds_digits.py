"""``mw_digits`` through TensorFlow Datasets, prepared by several processes at the same time."""

import subprocess
import sys

import numpy as np
import pytest

from mwtutor.datasets import digits

PROCESSES = 2

PROGRAM = """
import sys
import numpy as np
import tensorflow as tf, tensorflow_datasets as tfds
from tensorflow.python.data.experimental.ops import distribute
from mwtutor.datasets import digits
data_dir = sys.argv[1]
builder = tfds.builder("mw_digits", data_dir=data_dir)  # made before anything is prepared
print("ready", flush=True)
sys.stdin.readline()
builder.download_and_prepare()
assert builder.info.splits["test"].num_examples == 297
train, info = tfds.load(
    "mw_digits", split="train", as_supervised=True, with_info=True, data_dir=data_dir
)
assert info.features["image"].shape == (28, 28, 1) and info.features["label"].num_classes == 10
test = tfds.load("mw_digits", split="test", batch_size=-1, data_dir=data_dir)
(images, labels), = tfds.as_numpy(train.batch(2000))
np.savez(sys.argv[2], x=images, y=labels, xt=test["image"], yt=test["label"])

for split in "train", "test":
    assert builder.info.splits[split].num_shards >= 6, "of which each worker gets some"
    config = tfds.ReadConfig(try_autocache=False)  # a process has one cache, whoever reads
    data = tfds.load("mw_digits", split=split, data_dir=data_dir, read_config=config).batch(10)
    parts = []
    for index in range(3):  # as three workers' strategies do
        part = distribute._AutoShardDataset(data, 3, index)
        parts.append(sum(len(batch["label"]) for batch in part.as_numpy_iterator()))
    assert sum(parts) == builder.info.splits[split].num_examples, parts
    assert max(parts) - min(parts) <= 4, parts

assert digits.as_dataset().element_spec == train.element_spec
images, labels = next(iter(digits.as_dataset("test").batch(300)))
assert all(map(np.array_equal, (images, labels), digits.load_split("test")))
"""


def in_order(images, labels):
    """The examples without their order, because TFDS shuffles once when it prepares them."""
    return sorted(
        (int(label), image.tobytes()) for image, label in zip(images, labels, strict=True)
    )


@pytest.mark.full
@pytest.mark.tensorflow
def test_processes_that_prepare_at_once_all_read_the_digits(tmp_path):
    data_dir = tmp_path / "data"
    outputs = [tmp_path / f"{i}.npz" for i in range(PROCESSES)]
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(data_dir), str(output)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for output in outputs
    ]
    for worker in workers:
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        worker.stdin.write("go\n")
        worker.stdin.flush()
    for worker in workers:
        worker.communicate()
    assert [worker.returncode for worker in workers] == [0] * PROCESSES

    train, test = digits.load()
    for output in outputs:
        got = np.load(output)
        assert in_order(got["x"], got["y"]) == in_order(*train)
        assert in_order(got["xt"], got["yt"]) == in_order(*test)
    assert not list(data_dir.glob("mw_digits/*incomplete*"))
