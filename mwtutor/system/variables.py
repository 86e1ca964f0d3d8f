"""Environment variables that several subpackages read or set."""

from __future__ import annotations

from collections.abc import Mapping

#: Which attempt of its cluster a task belongs to; the first is 1.
ATTEMPT = "MWTUTOR_ATTEMPT"

#: Whether a task records its exchanges: not if it is 0.
LEDGER = "MWTUTOR_LEDGER"

#: Chooses Keras 2 behind ``tf.keras``; the values that do so are those that TensorFlow reads.
LEGACY_KERAS = "TF_USE_LEGACY_KERAS"
YES = ("1", "true", "True")


def asks_for_keras_2(env: Mapping[str, str]) -> bool:
    return env.get(LEGACY_KERAS) in YES
