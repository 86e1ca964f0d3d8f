"""Which Keras ``tf.keras`` is in a program: chosen before the program starts."""

from __future__ import annotations

import importlib.metadata
from dataclasses import dataclass, field

from mwtutor.exceptions import NotSupported
from mwtutor.run.program import Script
from mwtutor.run.request import LaunchRequest


@dataclass(frozen=True)
class KerasChoice:
    """The variables that make the choice, and the words that say it; empty if TensorFlow's own."""

    env: dict[str, str] = field(default_factory=dict)
    words: str = ""


def choose(request: LaunchRequest, script: Script | None) -> KerasChoice:
    """The Keras of a launch: the one asked for, Keras 2 for the Estimator, or TensorFlow's own.

    Args:
        request: what was asked for.
        script: the program, if it is a script.

    Raises:
        NotSupported: Keras 3 was asked for on a TensorFlow that is older than it.
    """
    native = not request.python and _keras_2_is_native()
    if request.keras == "3":
        if native:
            raise NotSupported(
                "This TensorFlow predates Keras 3: its tf.keras is Keras 2.",
                "Leave out --keras 3, or install TensorFlow 2.16 or later.",
            )
        return KerasChoice({"TF_USE_LEGACY_KERAS": "0"}, "Keras 3")
    why = "" if request.keras == "2" else _why_keras_2(script)
    if request.keras == "auto" and not why:
        return KerasChoice()
    return KerasChoice({} if native else {"TF_USE_LEGACY_KERAS": "1"}, f"Keras 2{why}")


def _why_keras_2(script: Script | None) -> str:
    from mwtutor.bridges.estimator import program_uses_estimator

    if script is not None and program_uses_estimator(script.path, script.tree):
        return ", because the program uses the Estimator"
    return ""


def _keras_2_is_native() -> bool:
    for name in ("tensorflow", "tensorflow-cpu"):
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        return tuple(map(int, version.split(".")[:2])) < (2, 16)
    return False
