"""Keras 3 under ``MultiWorkerMirroredStrategy``.

Keras 3 trains under ``MirroredStrategy`` but stops, or is silently wrong, with more than one
worker (https://github.com/keras-team/keras/issues/20585). :func:`enable` replaces the few functions
of Keras that are at fault; :func:`patches` lists them, each with its reason, its public issue and
the sign by which we will know that it is no longer needed.

Nothing changes for one process or another strategy: every replacement first asks whether the
strategy at hand is a ``MultiWorkerMirroredStrategy`` of two workers or more, and if it is not,
calls what it replaced.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import sys
import warnings
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

from mwtutor.bridges.keras3.patching import Patch, apply
from mwtutor.bridges.keras3.versions import KNOWN, recognised
from mwtutor.exceptions import NotSupported

__all__ = ["enable", "install_lazily", "patches"]

_ROOMS = ("trainer", "optimizers", "state", "files")


def patches() -> tuple[Patch, ...]:
    """Everything the bridge replaces in Keras. Imports Keras and TensorFlow."""
    rooms = (importlib.import_module(f"{__name__}.{room}") for room in _ROOMS)
    return tuple(patch for room in rooms for patch in room.PATCHES)


def enable() -> bool:
    """Let Keras 3 train under ``MultiWorkerMirroredStrategy`` in this process.

    Call it once, before or after models exist; further calls change nothing.

    Returns:
        True if the bridge is in place. False if Keras was left as it is: it is Keras 2, runs on
        another backend than TensorFlow, or the pair of versions is not one we know (a warning says
        which are).
    """
    import keras
    import tensorflow as tf

    if int(keras.__version__.split(".")[0]) < 3 or keras.backend.backend() != "tensorflow":
        return False
    pair = f"TensorFlow {tf.__version__} with Keras {keras.__version__}"
    if not recognised(tf.__version__, keras.__version__):
        warnings.warn(
            f"mwtutor leaves Keras as it is: it does not know {pair}. It knows {KNOWN}.",
            stacklevel=2,
        )
        return False
    try:
        apply(patches())
    except NotSupported as missing:
        warnings.warn(
            f"mwtutor leaves Keras as it is: {pair} is not laid out as expected ({missing}).",
            stacklevel=2,
        )
        return False
    return True


def install_lazily() -> None:
    """Enable the bridge when, and if, this process imports Keras.

    For the moment before a user's program runs. If Keras is imported already (a worker forked from
    a warm process) the bridge is put in place at once, which touches nothing of TensorFlow's
    runtime; if not, nothing is imported, and a program that never imports Keras pays nothing.
    """
    if "keras" in sys.modules:
        enable()
    elif not any(isinstance(finder, _AfterKeras) for finder in sys.meta_path):
        sys.meta_path.insert(0, _AfterKeras())


class _AfterKeras(importlib.abc.MetaPathFinder):
    """Waits for the import of ``keras``, lets it happen, then enables the bridge."""

    def __init__(self) -> None:
        self._asking = False

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != "keras" or self._asking:
            return None
        # To be asked is not to be imported: TensorFlow only looks whether Keras exists.
        self._asking = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._asking = False
        if spec is not None and spec.loader is not None:
            spec.loader = _ThenEnable(spec.loader, self)
        return spec


class _ThenEnable(importlib.abc.Loader):
    """A loader that enables the bridge once the real loader has run."""

    def __init__(self, loader: importlib.abc.Loader, finder: _AfterKeras) -> None:
        self._loader = loader
        self._finder = finder

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        enable()
