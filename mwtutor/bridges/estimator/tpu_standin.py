"""Stands in for a TPU module that TensorFlow 2.16 removed; executed under that module's name.

``tensorflow-estimator`` imports these modules when it is loaded, and uses them only for training on
a TPU. TPU training is not supported: names imported from here work in an ``isinstance`` test, and
raise an error when called.
"""

from __future__ import annotations

from typing import Any, NoReturn

from mwtutor.exceptions import NotSupported


def _refuse(name: str) -> NoReturn:
    raise NotSupported(
        f"TensorFlow 2.16 removed {name}, and mwtutor's Estimator compatibility layer does not"
        " restore TPU training.",
        "Use tf.estimator.Estimator on CPUs or GPUs, or TensorFlow 2.15 on the TPU.",
    )


class _Standin(type):
    """Metaclass of these names: calling one, or reading its attributes, raises an error."""

    def __call__(cls, *args: Any, **kwargs: Any) -> NoReturn:
        _refuse(f"{cls.__module__}.{cls.__name__}")

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        _refuse(f"{cls.__module__}.{cls.__name__}.{name}")


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    standin = _Standin(name, (), {"__module__": __name__, "__doc__": __doc__})
    globals()[name] = standin  # isinstance needs the same class everywhere
    return standin
