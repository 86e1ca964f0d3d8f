"""The choice of the Keras behind ``tf.keras`` in a program, made before the program starts."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass, field

from mwtutor.exceptions import NotSupported
from mwtutor.run.request import keras_2_names
from mwtutor.run.request.options import LaunchRequest
from mwtutor.run.request.program import Script
from mwtutor.system.variables import LEGACY_KERAS, asks_for_keras_2


@dataclass(frozen=True)
class KerasChoice:
    """The variables that make the choice, and its description; empty if unknown."""

    env: dict[str, str] = field(default_factory=dict)
    words: str = ""


def choose(request: LaunchRequest, script: Script | None) -> KerasChoice:
    """The Keras of a launch: the requested one, the one its source needs, or TensorFlow's own.

    Args:
        request: the launch's request.
        script: the program, if it is a script.

    Raises:
        NotSupported: Keras 3 was requested on a TensorFlow that is too old for it.
    """
    if request.is_horovod:  # the interpreter's TensorFlow has one Keras
        return KerasChoice()
    if request.is_jax:
        return KerasChoice({"KERAS_BACKEND": "jax"}, "Keras 3 on JAX")
    native = not request.python and _keras_2_is_native()
    if request.keras == "3":
        if native:
            raise NotSupported(
                "This TensorFlow predates Keras 3: its tf.keras is Keras 2.",
                "Leave out --keras 3, or install TensorFlow 2.16 or later.",
            )
        return KerasChoice({LEGACY_KERAS: "0"}, "Keras 3")
    chosen = LEGACY_KERAS in {**os.environ, **request.task_env()}
    why = "" if request.keras == "2" else _why_keras_2(script, chosen)
    if request.keras == "auto" and not why:
        return KerasChoice(words="" if request.python else _default(request, native))
    return KerasChoice({} if native else {LEGACY_KERAS: "1"}, f"Keras 2{why}")


def words_of(chosen: str, used: Collection[str]) -> str:
    """The description of a run's Keras, once it is known which one its program used.

    Args:
        chosen: the description of the launch's choice; empty if it made none.
        used: the versions that the tasks have reported, ``2`` and ``3``.
    """
    others = set(used) - {chosen.removeprefix("Keras ")[:1]}
    if not chosen or not others:
        return chosen
    if len(set(used)) > 1:
        return f"{chosen}, and Keras {min(others)}, which the program uses too"
    return f"Keras {min(others)}, which the program chose"


def _why_keras_2(script: Script | None, chosen: bool) -> str:
    from mwtutor.bridges.estimator import program_uses_estimator

    if script is None:
        return ""
    if program_uses_estimator(script.path, script.tree):
        return ", because the program uses the Estimator"
    if not chosen and (name := keras_2_names.first_certain(script.tree)):
        return f", because the program uses {name}"
    return ""


def _default(request: LaunchRequest, native: bool) -> str:
    if native:
        return "Keras 2"
    if asks_for_keras_2({**os.environ, **request.task_env()}):
        return f"Keras 2, because of {LEGACY_KERAS}"
    return "Keras 3 by default"


def _keras_2_is_native() -> bool:
    import importlib.metadata  # slow to import; most commands do not need it

    for name in ("tensorflow", "tensorflow-cpu"):
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        return tuple(map(int, version.split(".")[:2])) < (2, 16)
    return False
