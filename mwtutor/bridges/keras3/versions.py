"""The pairs of TensorFlow and Keras with which the bridge was tested."""

from __future__ import annotations

_Span = tuple[tuple[int, int], tuple[int, int]]

_TENSORFLOW: _Span = ((2, 16), (2, 21))
_KERAS: _Span = ((3, 10), (3, 15))


def _words(span: _Span) -> str:
    return " to ".join(f"{major}.{minor}" for major, minor in span)


KNOWN = f"TensorFlow {_words(_TENSORFLOW)} with Keras {_words(_KERAS)}"
"""The supported pairs, for messages."""


def recognized(tensorflow: str, keras: str) -> bool:
    """Whether both versions are in the supported ranges, whose limits CI tests.

    Keras 3.10 is the first whose metrics are summed over workers when they are read
    (https://github.com/keras-team/keras/issues/19891); with an older Keras, each worker would
    report only its own.

    Args:
        tensorflow: ``tensorflow.__version__``.
        keras: ``keras.__version__``.
    """
    return _within(tensorflow, _TENSORFLOW) and _within(keras, _KERAS)


def _within(version: str, span: _Span) -> bool:
    major, minor, *_ = version.split(".")
    return span[0] <= (int(major), int(minor)) <= span[1]
