"""Keras 3 under ``MultiWorkerMirroredStrategy`` and ``ParameterServerStrategy``.

Keras 3 trains under ``MirroredStrategy`` but fails, or is silently wrong, with more than one worker
(https://github.com/keras-team/keras/issues/20585). :func:`enable_keras3` replaces the few functions
of Keras that are at fault; :func:`patches` lists them, each with its reason, its public issue and
how to tell that it is no longer needed.

Nothing changes for a single process or for other strategies: every replacement first checks whether
the current strategy is a ``MultiWorkerMirroredStrategy`` of two workers or more (in ``servers``: a
``ParameterServerStrategy``), and otherwise calls the original.
"""

from __future__ import annotations

import importlib
import warnings

from mwtutor.bridges.keras3.patching import Patch, apply
from mwtutor.bridges.keras3.versions import KNOWN, recognized
from mwtutor.exceptions import NotSupported
from mwtutor.system.importhook import when_imported

__all__ = ["enable_keras3", "install_lazily", "patches"]

_ROOMS = (
    "trainer",
    "losses",
    "optimizers",
    "state",
    "shuffling",
    "files",
    "backups",
    "servers.variables",
    "servers.trainer",
)


def patches() -> tuple[Patch, ...]:
    """Everything that the bridge replaces in Keras. This imports Keras and TensorFlow."""
    rooms = (importlib.import_module(f"{__name__}.{room}") for room in _ROOMS)
    return tuple(patch for room in rooms for patch in room.PATCHES)


def enable_keras3() -> bool:
    """Let Keras 3 train under multi-worker strategies in this process.

    Call it once, before or after creating models; further calls change nothing. A program that
    mwtutor starts does not need this call. The function imports only Keras and TensorFlow.

    Returns:
        True if the bridge is in place. False if Keras was left unchanged: it is Keras 2, it runs
        on a backend other than TensorFlow, or the pair of versions is not supported (a warning
        says which pairs are).
    """
    import keras
    import tensorflow as tf

    if int(keras.__version__.split(".")[0]) < 3 or keras.backend.backend() != "tensorflow":
        return False
    pair = f"TensorFlow {tf.__version__} with Keras {keras.__version__}"
    if not recognized(tf.__version__, keras.__version__):
        warnings.warn(
            f"mwtutor leaves Keras unchanged: it does not support {pair}, only {KNOWN}.",
            stacklevel=2,
        )
        return False
    try:
        apply(patches())
    except NotSupported as missing:
        warnings.warn(
            f"mwtutor leaves Keras unchanged: {pair} is not laid out as expected ({missing}).",
            stacklevel=2,
        )
        return False
    return True


def install_lazily() -> None:
    """Enable the bridge when, and if, this process imports Keras.

    Call it before the user's program runs. If Keras has been imported (in a worker forked from a
    warm process), the bridge is enabled immediately, without starting TensorFlow's runtime;
    otherwise nothing is imported, so the call costs nothing in a program that never imports Keras.
    """
    when_imported("keras", lambda module: enable_keras3())
