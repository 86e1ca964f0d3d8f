"""The embedded digits, and the cost of importing them."""

import hashlib
import json
import subprocess
import sys

import numpy as np
import pytest

from mwtutor.datasets import digits
from mwtutor.datasets._state import state_dir
from mwtutor.exceptions import BadInput


def test_digits_have_the_form_of_mnist():
    (x_train, y_train), (x_test, y_test) = digits.load()
    assert x_train.shape == (1500, 28, 28, 1)
    assert x_test.shape == (297, 28, 28, 1)
    assert {a.dtype for a in (x_train, y_train, x_test, y_test)} == {np.dtype(np.uint8)}
    for labels in (y_train, y_test):
        share = np.bincount(labels, minlength=10) / len(labels)
        assert share.shape == (10,)
        assert share.min() > 0.06, "every digit is in both parts"
    assert x_train.max() == 255
    assert 25 < x_train.mean() < 110, "mostly paper, some ink"


def test_digits_are_those_that_make_digits_wrote():
    with np.load(digits.__file__.replace(".py", ".npz")) as small:
        images = np.concatenate([small["x_train"], small["x_test"]])
        labels = np.concatenate([small["y_train"], small["y_test"]])
    assert images.shape == (1797, 8, 8)
    assert images.max() == 16
    assert hashlib.sha256(images.tobytes() + labels.tobytes()).hexdigest() == (
        "98a897c5d4bd758f22091d00a185481808779c835e376d050775c7d5a434665e"
    )


def test_no_test_image_is_among_the_training_images():
    (x_train, _), (x_test, _) = digits.load()
    trained_on = {image.tobytes() for image in x_train}
    assert not [image for image in x_test if image.tobytes() in trained_on]


def test_enlarging_keeps_flat_ink_flat_and_every_pixel_in_its_place():
    flat = digits.enlarge(np.full((1, 8, 8), 16, np.uint8))[0, :, :, 0]
    assert (flat[4:24, 4:24] == 255).all()
    assert flat.sum() == 255 * 20 * 20, "a margin of 4 all round"
    dot = np.zeros((1, 8, 8), np.uint8)
    dot[0, 2, 5] = 16
    row, column = np.array(np.nonzero(digits.enlarge(dot)[0, :, :, 0])).mean(axis=1)
    assert (row, column) == pytest.approx((4 + 2.5 * 2.5 - 0.5, 4 + 5.5 * 2.5 - 0.5), abs=0.5)


def test_unknown_split_is_named_with_a_remedy():
    with pytest.raises(BadInput, match="'validation'") as raised:
        digits.load_split("validation")
    assert "train" in raised.value.remedy


def modules_after(*statements: str) -> dict[str, bool]:
    """Run the statements in a new Python; return which of these modules are then loaded."""
    report = """
import json, sys
names = "tensorflow", "tensorflow_datasets", "mwtutor.datasets.tfds_digits"
print(json.dumps({name: name in sys.modules for name in names}))"""
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(statements) + report], capture_output=True, check=True
    )
    return json.loads(done.stdout)


def test_importing_and_loading_arrays_takes_no_tensorflow():
    assert modules_after("import mwtutor.datasets as d; d.digits.load()") == {
        "tensorflow": False,
        "tensorflow_datasets": False,
        "mwtutor.datasets.tfds_digits": False,
    }


@pytest.mark.parametrize(
    "imports",
    [
        ["import mwtutor.datasets", "import tensorflow_datasets as tfds"],
        ["import tensorflow_datasets as tfds", "import mwtutor.datasets"],
    ],
)
def test_the_builder_is_registered_whichever_comes_first(imports):
    found = modules_after(*imports, "assert tfds.builder_cls('mw_digits').name == 'mw_digits'")
    assert found["mwtutor.datasets.tfds_digits"]
    assert not found["tensorflow"]


def test_our_own_files_go_beside_the_data_or_into_the_users_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert state_dir(tmp_path / "data") == tmp_path / "data" / ".mwtutor"
    unwritable = tmp_path / "file"
    unwritable.touch()
    elsewhere = state_dir(unwritable / "data")
    assert elsewhere.is_dir()
    assert elsewhere.is_relative_to(tmp_path / "home" / ".cache" / "mwtutor")
