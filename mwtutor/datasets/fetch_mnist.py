"""``python -m mwtutor.datasets.fetch_mnist DATA_DIR FILE``: prepare MNIST as one ``.npz``.

``load_mnist`` runs this while it holds the lock. On failure, the last line of the output says why.
"""

from __future__ import annotations

import os
import signal
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow_datasets as tfds

CONNECT_SECONDS = 10
RETRIES = 2


def main(data_dir: str, file: str) -> None:
    """Prepare ``mnist`` in ``data_dir`` if needed, and write its arrays to ``file`` in one step."""
    builder = tfds.builder("mnist", data_dir=data_dir)
    if not builder.data_path.exists():
        _check_network(builder.URL)
        _retry_less()
        builder.download_and_prepare()
    arrays = {}
    for split in ("train", "test"):
        part: dict[str, Any] = tfds.as_numpy(builder.as_dataset(split=split, batch_size=-1))
        arrays[f"x_{split}"] = part["image"]
        arrays[f"y_{split}"] = part["label"].astype(np.uint8)
    partial = Path(f"{file}.partial.npz")
    np.savez_compressed(partial, **arrays)
    os.replace(partial, file)


def _check_network(url: str) -> None:
    """Fail early if there is no network: TFDS itself tries ten times, for 205 seconds.

    Raises:
        OSError: the host cannot be reached. (Any answer counts, even an error.)
    """
    # If the name server does not answer, the C library blocks until a signal arrives.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(CONNECT_SECONDS)
    print(f"no answer from {url} within {CONNECT_SECONDS} seconds", flush=True)
    try:
        request = urllib.request.Request(url, method="HEAD")
        with urllib.request.urlopen(request, timeout=CONNECT_SECONDS):
            pass
    except urllib.error.HTTPError:
        pass
    finally:
        signal.alarm(0)


def _retry_less() -> None:
    from tensorflow_datasets.core.download import downloader

    downloader.MAX_RETRIES = RETRIES


def _say(why: str) -> int:
    print(" ".join(why.split())[:300])
    return 1


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except urllib.error.URLError as error:
        sys.exit(_say(f"no network: {error.reason}"))
    except Exception as error:
        sys.exit(_say(f"{type(error).__name__}: {error}"))
