"""Keras 2 behind ``tf.keras``: the Estimator was written for it and needs it.

Since TensorFlow 2.16, ``tf.keras`` is Keras 3 unless ``TF_USE_LEGACY_KERAS=1`` is set. The variable
is read twice: when TensorFlow is imported, for ``import tensorflow.keras``, and when ``tf.keras``
is first used, for everything else. In a process that imported TensorFlow without the variable (a
notebook kernel, a worker forked from a warm process), both results must be corrected.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

from mwtutor.exceptions import NotSupported
from mwtutor.system.variables import LEGACY_KERAS, YES

_LAZY = ("keras", "losses", "metrics", "optimizers", "initializers", "layers")
"""The names that TensorFlow takes from Keras on first use."""

_KERAS_2_PATHS = {
    "tensorflow": "api/_v2",
    "tensorflow.compat.v1": "api/_v1",
    "tensorflow.compat.v2": "api/_v2",
}
"""Where ``import <package>.keras`` finds Keras 2, below the package ``tf_keras``."""


def choose_keras_2() -> None:
    """Put Keras 2 behind ``tf.keras`` in this process and in those it starts.

    TensorFlow may have been imported, but ``tf.keras`` must not have been used. On TensorFlow 2.15,
    ``tf.keras`` is Keras 2 already, and nothing is changed.

    Raises:
        NotSupported: if Keras 3 is loaded behind ``tf.keras``, if ``TF_USE_LEGACY_KERAS`` asks for
            Keras 3, or if ``tf_keras`` is not installed.
    """
    tf = sys.modules.get("tensorflow")
    if _keras_2_is_native(tf):
        return
    if tf is not None and loaded_keras(tf) == 3:
        raise NotSupported(
            "Keras 3 is already loaded behind tf.keras, but the Estimator works only with Keras 2.",
            _remedy(),
        )
    asked = os.environ.get(LEGACY_KERAS)
    if asked is not None and asked not in YES:
        raise NotSupported(
            f"{LEGACY_KERAS}={asked} asks for Keras 3, but the Estimator works only with Keras 2.",
            f"Unset {LEGACY_KERAS} or set it to 1; with mwtutor's launcher, leave out --keras 3.",
        )
    if importlib.util.find_spec("tf_keras") is None:
        raise NotSupported(
            "The Estimator needs Keras 2, but the package tf_keras is not installed.",
            "Install the tf_keras that matches your TensorFlow, for example: pip install tf_keras",
        )
    os.environ[LEGACY_KERAS] = "1"
    if tf is not None:
        _prefer_keras_2_submodules()


def loaded_keras(tf: ModuleType) -> int | None:
    """Which Keras is behind ``tf.keras``: 2, 3, or None while nothing has used it."""
    if "tensorflow.keras" in sys.modules:
        return _generation(vars(sys.modules["tensorflow.keras"]).get("__file__"))
    # An imported tensorflow.compat.v1 is a different module from the earlier tf.compat.v1.
    for package in _packages(tf):
        for name in _LAZY:
            generation = _generation_of(vars(package).get(name))
            if generation is not None:
                return generation
    return None


def _keras_2_is_native(tf: ModuleType | None) -> bool:
    """Whether this TensorFlow, imported or only installed, is older than Keras 3."""
    version = tf.__version__ if tf is not None else _installed_version()
    return version is not None and tuple(map(int, version.split(".")[:2])) < (2, 16)


def _installed_version() -> str | None:
    for distribution in ("tensorflow", "tensorflow-cpu"):
        try:
            return importlib.metadata.version(distribution)
        except importlib.metadata.PackageNotFoundError:
            continue
    return None


def _packages(tf: ModuleType) -> list[ModuleType]:
    imported = [sys.modules[name] for name in _KERAS_2_PATHS if name in sys.modules]
    return [tf, tf.compat.v1, tf.compat.v2, *imported]


def _generation_of(keras: object) -> int | None:
    """The generation of a Keras module, or of TensorFlow's lazy loader, which stays unloaded."""
    inside = getattr(keras, "__dict__", {}) if keras is not None else {}
    if type(keras).__name__ != "KerasLazyLoader":
        return _generation(inside.get("__file__"))
    if not inside.get("_tfll_initialized"):
        return None
    return 3 if inside.get("_tfll_keras_version") == "keras_3" else 2


def _generation(file: object) -> int | None:
    """The generation of the Keras that this file belongs to: 2 or 3; None if it is neither."""
    parts = Path(file).parts if isinstance(file, str) else ()
    if "_tf_keras" in parts:  # keras/_tf_keras/keras is Keras 3 for TensorFlow
        return 3
    return 2 if "tf_keras" in parts else None


def _prefer_keras_2_submodules() -> None:
    """Let ``import tensorflow.keras`` and similar imports find Keras 2 first."""
    spec = importlib.util.find_spec("tf_keras")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    root = Path(next(iter(spec.submodule_search_locations)))
    for name, below in _KERAS_2_PATHS.items():
        package = sys.modules.get(name)
        directory = str(root / below)
        if package is not None and directory not in package.__path__:
            package.__path__ = [directory, *package.__path__]


def _remedy() -> str:
    if "ipykernel" in sys.modules:
        return "Restart the kernel and enable the Estimator before anything uses tf.keras."
    return f"Start the program with {LEGACY_KERAS}=1 (mwtutor's launcher: --keras 2)."
