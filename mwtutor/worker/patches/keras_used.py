"""Which Keras the program really used: its own choice may differ from the launch's.

A warm process has imported Keras 2 and Keras 3 before the program begins, so only creating a layer
counts.
"""

from __future__ import annotations

import functools
import sys
from types import ModuleType
from typing import Any

from mwtutor import metrics
from mwtutor.system.importhook import when_imported
from mwtutor.system.wrapping import before

#: The module of each version's layers. The Keras 2 inside TensorFlow 2.15 is left out, because
#: there is no Keras 3 next to it.
_LAYERS = {"keras.src.layers.layer": "3", "tf_keras.src.engine.base_layer": "2"}


def install() -> None:
    for name in _LAYERS:
        when_imported(name, _watch_first_layer)
    when_imported("keras.src.distribution.distribution_lib", _watch_distributions)


def _watch_first_layer(module: ModuleType) -> None:
    layer, version = module.Layer, _LAYERS[module.__name__]
    init = layer.__init__

    @functools.wraps(init)
    def first(self: Any, *args: Any, **kwargs: Any) -> None:
        layer.__init__ = init
        release = _version(module.__name__.partition(".")[0])
        told = {"version": version, "release": release, "tensorflow": _version("tensorflow")}
        metrics.send("keras", wait=1.0, **told)
        init(self, *args, **kwargs)

    layer.__init__ = first


def _version(name: str) -> str:
    return str(getattr(sys.modules.get(name), "__version__", ""))


def _watch_distributions(module: ModuleType) -> None:
    """Report a ``DataParallel`` on TensorFlow, where Keras accepts it but does nothing with it."""

    def report(distribution: Any, *args: Any, **kwargs: Any) -> None:
        if sys.modules["keras.src.backend"].backend() == "tensorflow":
            metrics.send("without_effect", wait=1.0, what=type(distribution).__name__)

    before(module.Distribution, "__init__", report)
