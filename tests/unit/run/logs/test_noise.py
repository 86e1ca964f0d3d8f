"""Which lines TensorFlow says about itself."""

from __future__ import annotations

import pytest

from mwtutor.run.logs.noise import is_noise

NOISE = "I0000 00:00:1795225299.237274    4965 port.cc:153] oneDNN custom operations are on."


def test_what_a_download_says_is_no_noise():
    """In absl's format, which TensorFlow sets up, and in the format of Python's own logging."""
    for name in ("W1123 05:12:40.123456 139872 connectionpool.py:870] ", "WARNING:urllib3:"):
        assert not is_noise(f"{name}Retrying (Retry(total=6)) after connection broken")
    assert not is_noise(
        "I0000 00:00:1795 32345 grpc_util.cc:86] Failed to register dataset with dispatcher at"
        " localhost:40000: UNAVAILABLE: Connection refused. Will retry in 31ms."
    )
    assert is_noise("W0000 00:00:1795 139872 port.cc:153] oneDNN")


@pytest.mark.parametrize(
    ("line", "noise"),
    [
        (NOISE, True),
        ("/job:worker/replica:0/task:2", True),
        ("/job:worker/replica:0/task:2 is mine", False),
        ("Skipping registering GPU devices...", True),
        ("To enable the following instructions: AVX2 FMA, rebuild TensorFlow", True),
        ("2026-01-02 01:42:04.943904: I tensorflow/core/util/port.cc:113] oneDNN", True),
        ("2026-01-02 01:42:04.943904: E external/local_xla/xla/stream_executor/cuda/cuda_dnn.cc:92]"
         " Unable to register cuDNN factory", True),
        ("E0000 00:00:17.98  19 cuda_platform.cc:52] failed call to cuInit: UNKNOWN ERROR (303)",
         True),
        ("2026-01-02 01:42:04.943904: E tensorflow/core/common_runtime/base.cc:8] Connection reset",
         False),
        ("E0000 00:00:17.98   19000 coordination.cc:52] heartbeat lost", False),
        ("INFO:tensorflow:loss = 0.3, step = 10", False),
        ("Epoch 1/3", False),
    ],
)  # fmt: skip
def test_what_is_noise(line, noise):
    assert is_noise(line) is noise
