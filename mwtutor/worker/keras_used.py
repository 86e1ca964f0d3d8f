"""Which Keras the program has really used: it may choose another than its launch did.

A warm process has Keras 3 imported before the program begins, so that counts once a layer is made.
Keras 2 is imported by nobody else: that counts at once.
"""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from mwtutor import metrics
from mwtutor.system.importhook import when_imported


def install() -> None:
    when_imported("tf_keras", lambda module: metrics.send("keras", wait=1.0, version="2"))
    when_imported("keras.src.layers.layer", _watch_first_layer)  # Keras 2 has no such module
    when_imported("keras.src.distribution.distribution_lib", _watch_distributions)


def _watch_first_layer(module: ModuleType) -> None:
    layer = module.Layer
    init = layer.__init__

    @functools.wraps(init)
    def first(self: Any, *args: Any, **kwargs: Any) -> None:
        layer.__init__ = init
        metrics.send("keras", wait=1.0, version="3")
        init(self, *args, **kwargs)

    layer.__init__ = first


def _watch_distributions(module: ModuleType) -> None:
    """Keras takes a ``DataParallel`` on TensorFlow, too, and does nothing with it."""
    distribution = module.Distribution
    init = distribution.__init__

    @functools.wraps(init)
    def watched(self: Any, *args: Any, **kwargs: Any) -> None:
        if module.backend.backend() == "tensorflow":
            metrics.send("without_effect", wait=1.0, what=type(self).__name__)
        init(self, *args, **kwargs)

    distribution.__init__ = watched
