"""Bridges: small compatibility layers for what current TensorFlow dropped or never supported.

They are enabled in programs that mwtutor starts. Any other program calls :func:`enable` before it
uses Keras or the Estimator.
"""

from __future__ import annotations

import functools

__all__ = ["enable"]


@functools.cache
def enable() -> None:
    """Enable every bridge in this process, each when (and if) its target is imported.

    It imports neither TensorFlow nor Keras; a second call changes nothing.
    """
    from mwtutor.bridges import estimator, keras3

    estimator.install_lazily()
    keras3.install_lazily()
