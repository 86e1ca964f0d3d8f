"""Bridges: the small pieces that let current TensorFlow do what it dropped or never did.

In programs that mwtutor starts they are in place. A program started in any other way calls
:func:`enable` before it uses Keras or the Estimator.
"""

from __future__ import annotations

import functools

__all__ = ["enable"]


@functools.cache
def enable() -> None:
    """Put every bridge in place in this process, each when (and if) what it bridges is imported.

    Imports neither TensorFlow nor Keras; a second call changes nothing.
    """
    from mwtutor.bridges import estimator, keras3

    estimator.install_lazily()
    keras3.install_lazily()
