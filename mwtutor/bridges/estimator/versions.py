"""Which TensorFlow is loaded, and whether the bridge supports it; this module changes nothing."""

from __future__ import annotations

import importlib
import importlib.metadata
from types import ModuleType

from mwtutor.exceptions import NotSupported

NATIVE = ((2, 15),)
"""TensorFlow releases (major, minor) that still have ``tf.estimator``."""

BRIDGED = ((2, 16), (2, 17), (2, 18), (2, 19), (2, 20), (2, 21))
"""TensorFlow releases (major, minor) whose missing names the bridge supplies."""

ESTIMATOR = "2.15.0"
"""The only ``tensorflow-estimator`` release that the bridge supports, which is also the last."""

_RELIED_UPON = {
    "tensorflow.python.distribute.distribute_coordinator": (
        "CoordinatorMode",
        "run_distribute_coordinator",
        "_TaskType",
    ),
    "tensorflow.python.distribute.distribute_coordinator_context": ("get_current_worker_context",),
    "tensorflow.python.distribute.multi_worker_util": ("normalize_cluster_spec",),
    "tensorflow.python.util.tf_export": ("API_ATTRS", "API_ATTRS_V1", "_Attributes", "api_export"),
    "tensorflow.python.util.lazy_loader": ("KerasLazyLoader",),
}
"""The foundations of the supplied names: private to TensorFlow, so any release may remove them."""


def is_native(tf: ModuleType) -> bool:
    """Whether this TensorFlow has its own Estimator."""
    return _release(tf) in NATIVE


def require_known(tf: ModuleType) -> None:
    """Reject a TensorFlow or an Estimator that the bridge does not support.

    Raises:
        NotSupported: the bridge does not support it; the error names the supported versions, or the
            name that is missing.
    """
    if _release(tf) not in NATIVE + BRIDGED:
        raise NotSupported(
            f"The Estimator compatibility layer does not support TensorFlow {tf.__version__}.",
            f"It supports {_known()}: install one of these.",
        )
    found = _estimator_version()
    if found != ESTIMATOR:
        raise NotSupported(
            f"The Estimator compatibility layer needs tensorflow-estimator {ESTIMATOR}, but this "
            f"environment has {found or 'none'}.",
            f"Install it: pip install tensorflow-estimator=={ESTIMATOR}",
        )
    if not is_native(tf):
        _require_names(tf)


def _release(tf: ModuleType) -> tuple[int, ...]:
    return tuple(int(part) for part in tf.__version__.split(".")[:2])


def _known() -> str:
    def show(release: tuple[int, int]) -> str:
        return ".".join(map(str, release))

    return f"TensorFlow {show(NATIVE[0])} and {show(BRIDGED[0])} to {show(BRIDGED[-1])}"


def _estimator_version() -> str | None:
    try:
        return importlib.metadata.version("tensorflow-estimator")
    except importlib.metadata.PackageNotFoundError:
        return None


def _require_names(tf: ModuleType) -> None:
    for module_name, names in _RELIED_UPON.items():
        try:
            module = importlib.import_module(module_name)
        except ImportError:
            missing = [module_name]
        else:
            missing = [f"{module_name}.{name}" for name in names if not hasattr(module, name)]
        if missing:
            raise NotSupported(
                f"This TensorFlow {tf.__version__} has no {missing[0]}, which the Estimator "
                "compatibility layer needs.",
                f"Install an unmodified TensorFlow: the layer supports {_known()}.",
            )
