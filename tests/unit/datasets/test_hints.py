"""The offline hint, on the exceptions that the real loaders raise."""

import os
import socket
import subprocess
import sys

import pytest

from mwtutor.datasets.hints import HINT, offline_hint

PROGRAM = """
import sys
import tensorflow as tf, tf_keras
import tensorflow_datasets as tfds
from tensorflow_datasets.core.download import downloader
from mwtutor.datasets.hints import HINT, offline_hint

downloader.MAX_RETRIES = 0  # the same exception as after 205 seconds

def hint(function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except BaseException as error:
        return offline_hint(error)
    raise SystemExit(f"{function} found a network")

assert hint(tf.keras.datasets.mnist.load_data) == HINT
assert hint(tf_keras.datasets.fashion_mnist.load_data) == HINT
assert hint(tfds.load, "mnist", data_dir=sys.argv[1]) == HINT
assert hint(tfds.load, "no_such_data_set", data_dir=sys.argv[1]) is None
"""


@pytest.mark.full
@pytest.mark.tensorflow
def test_the_real_loaders_without_a_network(tmp_path):
    offline = {"https_proxy": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9"}
    # A separate home: the user who runs this may have MNIST.
    env = {**os.environ, **offline, "KERAS_HOME": str(tmp_path), "HOME": str(tmp_path)}
    program = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    done = subprocess.run(program, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_connection_of_the_program_itself_gets_no_hint():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # bound, not listening
        with pytest.raises(ConnectionRefusedError) as refused:
            socket.create_connection(held.getsockname())
    assert offline_hint(refused.value) is None
    assert offline_hint(ValueError("bad")) is None


def test_the_hint_is_one_line_and_names_the_way_out():
    assert "\n" not in HINT
    assert "mwtutor.datasets" in HINT
