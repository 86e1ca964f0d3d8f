"""``load_mnist()``: the real MNIST where it is available, else the embedded digits.

TensorFlow Datasets fetches MNIST once, in a separate process (``fetch_mnist``), which stores it as
one NumPy file next to the prepared data. So the calling program does not start TensorFlow (it can
still create a strategy afterward), two workers never prepare the data at once, and an unresponsive
network does not delay a program for long.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from mwtutor.datasets import digits
from mwtutor.datasets._state import hold_lock, state_dir
from mwtutor.exceptions import NotSupported

AGREEMENT_SECONDS = 60.0
"""Seconds for which every worker on this machine accepts another's failed attempt as its own."""


@dataclass(frozen=True)
class Source:
    """Which data ``load_mnist`` returned, and why.

    Attributes:
        name: "mnist", or "mw_digits" for the embedded digits; both are TFDS names.
        why: for the embedded digits, why MNIST is unavailable; else empty.
    """

    name: Literal["mnist", "mw_digits"]
    why: str = ""

    def __str__(self) -> str:
        if self.name == "mnist":
            return "the real MNIST: 28x28 handwritten digits"
        return f"the digits embedded in mwtutor, not MNIST ({self.why})"


class Mnist(NamedTuple):
    """``(x_train, y_train), (x_test, y_test), source``; see ``digits.Arrays`` for the arrays."""

    train: digits.Arrays
    test: digits.Arrays
    source: Source


class _NotAvailable(Exception):
    """MNIST is not on this machine and cannot be fetched; the text says why."""


def load_mnist(
    data_dir: str | os.PathLike[str] | None = None, *, fallback: bool = True, timeout: float = 600.0
) -> Mnist:
    """Load MNIST, or the embedded digits where it is unavailable; print which one.

        (x_train, y_train), (x_test, y_test), source = load_mnist()

    Workers on one machine get the same data: they take turns, and if the first one fails, the
    others do not try for a minute. Workers on several machines get the same data only if all of the
    machines have MNIST, or none: prepare it beforehand, or use ``mwtutor.datasets.digits``.

    Args:
        data_dir: where TFDS keeps its data; default ``TFDS_DATA_DIR``, else
            ``~/tensorflow_datasets``.
        fallback: return the embedded digits rather than fail.
        timeout: seconds that downloading (11 MB) and preparing (a minute on two cores) may take;
            a machine without a network is noticed within 10 seconds.

    Returns:
        uint8 images of shape ``(N, 28, 28, 1)`` and uint8 labels, in the order of TFDS (60,000 +
        10,000 of MNIST or 1,500 + 297 embedded ones), and the ``Source``.

    Raises:
        NotSupported: MNIST is unavailable, and ``fallback`` is False.
    """
    where = data_dir or os.environ.get("TFDS_DATA_DIR") or "~/tensorflow_datasets"
    try:
        train, test = _load_kept(_fetched(Path(where).expanduser().absolute(), timeout))
        source = Source("mnist")
    except _NotAvailable as reason:
        if not fallback:
            raise NotSupported(
                f"MNIST is unavailable here: {reason}.",
                "Use mwtutor.datasets.digits, or load MNIST once with a network connection.",
            ) from None
        (train, test), source = digits.load(), Source("mw_digits", str(reason))
    print(f"mwtutor: load_mnist() returns {source}.", flush=True)
    return Mnist(train, test, source)


def _fetched(data_dir: Path, timeout: float) -> Path:
    """The stored file; fetches it first if it does not exist yet, in one process at a time."""
    try:
        state = state_dir(data_dir)
    except OSError as error:
        raise _NotAvailable(f"{data_dir} cannot be written: {error.strerror}") from None
    kept, failed = state / "mnist.npz", state / "mnist.failed.json"
    if not kept.exists():
        print(
            "mwtutor: MNIST has not been downloaded yet; the download, needed only once, can take"
            " minutes.",
            flush=True,
        )
        with hold_lock(state / "mnist.lock"):
            if not kept.exists():
                _follow_recent_failure(failed)
                try:
                    _fetch(data_dir, kept, timeout)
                except _NotAvailable as reason:
                    failed.write_text(json.dumps({"time": time.time(), "why": str(reason)}))
                    raise
                failed.unlink(missing_ok=True)
    return kept


def _follow_recent_failure(failed: Path) -> None:
    """Raise another worker's recent error, so that all of them get the same data."""
    try:
        note = json.loads(failed.read_text())
        age, why = time.time() - note["time"], note["why"]
    except (OSError, ValueError, KeyError, TypeError):
        return
    if 0 <= age < AGREEMENT_SECONDS:
        raise _NotAvailable(why)


def _fetch(data_dir: Path, kept: Path, timeout: float) -> None:
    """Have ``fetch_mnist`` write ``kept``."""
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}
    command = [sys.executable, "-m", "mwtutor.datasets.fetch_mnist", str(data_dir), str(kept)]
    try:
        done = subprocess.run(
            command,
            # The directory of this package, whatever the working directory and path of the caller.
            cwd=Path(__file__).parents[2],
            env={**os.environ, **quiet},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
        )
    except subprocess.TimeoutExpired:
        raise _NotAvailable(f"not downloaded within {timeout:g} seconds") from None
    if done.returncode:
        said = (done.stdout.strip() or done.stderr.strip()).splitlines()
        raise _NotAvailable(
            said[-1] if said else f"the download exited with status {done.returncode}"
        )


def _load_kept(kept: Path) -> tuple[digits.Arrays, digits.Arrays]:
    with np.load(kept) as arrays:
        return ((arrays["x_train"], arrays["y_train"]), (arrays["x_test"], arrays["y_test"]))
