"""Bridges: the small pieces that let current TensorFlow do what it dropped or never did.

In programs that mwtutor starts they are in place. A program that is started in another way calls
:func:`enable` before it uses Keras or the Estimator.
"""

from __future__ import annotations

import functools

__all__ = ["enable"]


@functools.cache
def enable() -> None:
    """Put every bridge in place in this process: when, and if, what it is for is imported.

    Imports neither TensorFlow nor Keras, and changes nothing the second time.
    """
    from mwtutor.bridges import estimator, keras3

    estimator.install_lazily()
    keras3.install_lazily()
