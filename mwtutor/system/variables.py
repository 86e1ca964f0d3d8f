"""Environment variables that several subpackages read or set."""

from __future__ import annotations

from collections.abc import Mapping

#: The attempt that a task belongs to, counted from 1.
ATTEMPT = "MWTUTOR_ATTEMPT"

#: Whether a task records its exchanges; 0 turns this off.
LEDGER = "MWTUTOR_LEDGER"

#: Selects Keras 2 for ``tf.keras``, with the values that TensorFlow accepts.
LEGACY_KERAS = "TF_USE_LEGACY_KERAS"
YES = ("1", "true", "True")


def asks_for_keras_2(env: Mapping[str, str]) -> bool:
    return env.get(LEGACY_KERAS) in YES
