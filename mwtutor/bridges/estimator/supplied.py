"""The names that TensorFlow removed and the Estimator still needs, each with its reason.

Modules are supplied by a finder at the *end* of ``sys.meta_path``: TensorFlow's own modules always
come first, so a module that returns in a later release takes precedence.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType


@dataclass(frozen=True)
class Supplied:
    """One name that this package restores.

    Attributes:
        name: dotted name of the module (or attribute) that TensorFlow no longer has.
        source: file next to this one that is executed under that name; empty for an attribute.
        why: the code that needs it.
        since: first TensorFlow release without it.
        until: how to tell that it is no longer needed.
    """

    name: str
    source: str
    why: str
    since: str = "2.16"
    until: str = "tensorflow-estimator stops importing it, or TensorFlow has the module again"


_TPU = "tensorflow.python.tpu"
_TPU_WHY = "tensorflow-estimator imports it at load, for the TPUEstimator only"
_TPU_STUB_WHY = "programs of 2.15 import the TPU Estimator's parts under this name"

SUPPLIED: tuple[Supplied, ...] = (
    Supplied(
        "tensorflow.python.distribute.estimator_training",
        "estimator_training.py",
        "RunConfig, Estimator and train_and_evaluate call it to train under a tf.distribute "
        "strategy on a cluster",
    ),
    Supplied(f"{_TPU}.tpu_embedding", "tpu_standin.py", _TPU_WHY),
    Supplied(f"{_TPU}.tpu_embedding_gradient", "tpu_standin.py", _TPU_WHY),
    Supplied(f"{_TPU}.session_support", "tpu_standin.py", _TPU_WHY),
    Supplied(f"{_TPU}.async_checkpoint", "tpu_standin.py", _TPU_STUB_WHY),
    Supplied(f"{_TPU}.error_handling", "tpu_alias.py", _TPU_STUB_WHY),
    Supplied(f"{_TPU}.util", "tpu_alias.py", _TPU_STUB_WHY),
    Supplied(f"{_TPU}.tpu_config", "tpu_alias.py", _TPU_STUB_WHY),
    Supplied(f"{_TPU}.tpu_context", "tpu_alias.py", _TPU_STUB_WHY),
    Supplied(f"{_TPU}.tpu_estimator", "tpu_alias.py", _TPU_STUB_WHY),
    Supplied(
        "tensorflow.python.util.tf_export.ESTIMATOR_API_NAME",
        "",
        "estimator_export, the decorator on every public Estimator symbol, registers under it",
        until="tensorflow-estimator stops using tf_export, or hasattr(tf_export, that name)",
    ),
    Supplied(
        "tensorflow.estimator",
        "",
        "the public name itself, also under tensorflow.compat.v1 and tensorflow.compat.v2",
        until="hasattr(tensorflow, 'estimator') before anything was enabled",
    ),
)


_SOURCES = {entry.name: entry.source for entry in SUPPLIED if entry.source}


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the supplied modules, after every other finder has failed."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        source = _SOURCES.get(name)
        if source is None:
            return None
        return importlib.util.spec_from_file_location(name, Path(__file__).with_name(source))


_finder = _Finder()


def supply(tf_export: ModuleType) -> None:
    """Make every supplied name importable; existing names stay unchanged.

    Args:
        tf_export: the module ``tensorflow.python.util.tf_export``.
    """
    if _finder not in sys.meta_path:
        sys.meta_path.append(_finder)
    if not hasattr(tf_export, "ESTIMATOR_API_NAME"):
        _add_export_name(tf_export, "estimator")


def _add_export_name(tf_export: ModuleType, api: str) -> None:
    """Register ``api`` as a package whose symbols carry their public names, as Keras's do."""
    tf_export.API_ATTRS[api] = tf_export._Attributes(f"_{api}_api_names", f"_{api}_api_constants")
    tf_export.API_ATTRS_V1[api] = tf_export._Attributes(
        f"_{api}_api_names_v1", f"_{api}_api_constants_v1"
    )
    tf_export.ESTIMATOR_API_NAME = api  # type: ignore[attr-defined]
