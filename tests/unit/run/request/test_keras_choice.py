"""Which Keras a launch gets, and how it is described."""

from __future__ import annotations

import ast
import textwrap

import pytest

from mwtutor.run.request import keras_2_names, keras_choice
from mwtutor.run.request.options import LaunchRequest
from mwtutor.run.request.program import read_script


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import tensorflow as tf\ntf.keras.optimizers.legacy.SGD()", "optimizers.legacy"),
        ("import tensorflow\ntensorflow.keras.experimental.LinearModel()", "experimental"),
        ("from tensorflow import keras\nkeras.optimizers.legacy.SGD()", "optimizers.legacy"),
        ("from tensorflow.keras import optimizers as o\no.legacy.SGD()", "optimizers.legacy"),
        ("from tensorflow.keras.optimizers.legacy import SGD", "optimizers.legacy"),
        ("import tensorflow as tf\ntf.keras.utils.experimental.x", "utils.experimental"),
        ("import tensorflow as tf\ntf.keras.utils.SidecarEvaluator()", "utils.SidecarEvaluator"),
        ("import tensorflow.keras as k\nk.layers.experimental.x", "layers.experimental"),
        (
            "import tensorflow as tf\nif __name__ == '__main__':\n    tf.keras.experimental.X()",
            "experimental",
        ),
        (
            "import tensorflow as tf\ndef build():\n    return tf.keras.optimizers.legacy.Adam()",
            "optimizers.legacy",
        ),
    ],
)
def test_names_that_only_keras_2_has(source, name):
    assert keras_2_names.first_certain(ast.parse(source)) == f"tf.keras.{name}"


@pytest.mark.parametrize(
    "source",
    [
        "import tensorflow as tf\ntf.keras.optimizers.SGD()",
        "import tensorflow as tf\ntf.experimental.x\ntf.keras.optimizers.legacysgd",
        "import tensorflow as tf\nif old:\n    tf.keras.optimizers.legacy.SGD()",
        "import tensorflow as tf\ntry:\n    o = tf.keras.optimizers.legacy.SGD()\nexcept E: pass",
        "import tensorflow as tf, keras\ntf.keras.optimizers.legacy.SGD()",
        "import os; os.environ['TF_USE_LEGACY_KERAS'] = '0'\n"
        "import tensorflow as tf\ntf.keras.optimizers.legacy.SGD()",
        "tf = mine()\ntf.keras.optimizers.legacy.SGD()",
        "'tf.keras.optimizers.legacy'",
    ],
)
def test_what_is_not_certain_is_left_to_tensorflow(source):
    assert keras_2_names.first_certain(ast.parse(source)) == ""


@pytest.mark.full
@pytest.mark.tensorflow
def test_keras_2_has_these_names_and_keras_3_has_not():
    import keras
    import tf_keras

    for name in keras_2_names._GONE:
        *parts, last = name.removeprefix("tensorflow.keras.").split(".")
        old, new = tf_keras, keras
        for part in parts:
            old, new = getattr(old, part), getattr(new, part)
        assert hasattr(old, last), name
        # The name that exists raises an error when used.
        assert not hasattr(new, last) or name.endswith("optimizers.legacy")


@pytest.mark.parametrize(
    ("source", "options", "native", "env", "words"),
    [
        ("", {}, False, {}, "Keras 3 by default"),
        ("", {}, True, {}, "Keras 2"),
        ("", {"keras": "2"}, False, {"TF_USE_LEGACY_KERAS": "1"}, "Keras 2"),
        ("", {"keras": "3"}, False, {"TF_USE_LEGACY_KERAS": "0"}, "Keras 3"),
        (
            "",
            {"env": {"TF_USE_LEGACY_KERAS": "1"}},
            False,
            {},
            "Keras 2, because of TF_USE_LEGACY_KERAS",
        ),
        (
            "tf.keras.optimizers.legacy.SGD()",
            {},
            False,
            {"TF_USE_LEGACY_KERAS": "1"},
            "Keras 2, because the program uses tf.keras.optimizers.legacy",
        ),
        (
            "tf.keras.optimizers.legacy.SGD()",
            {"env": {"TF_USE_LEGACY_KERAS": "0"}},
            False,
            {},
            "Keras 3 by default",
        ),
        (
            "tf.keras.optimizers.legacy.SGD()",
            {"keras": "3"},
            False,
            {"TF_USE_LEGACY_KERAS": "0"},
            "Keras 3",
        ),
    ],
)
def test_the_choice_is_always_stated(tmp_path, monkeypatch, source, options, native, env, words):
    monkeypatch.delenv("TF_USE_LEGACY_KERAS", raising=False)
    monkeypatch.setattr(keras_choice, "_keras_2_is_native", lambda: native)
    script = tmp_path / "main.py"
    script.write_text(textwrap.dedent(f"import tensorflow as tf\n{source}\n"))
    request = LaunchRequest(str(script), 2, **options).checked("launch")
    choice = keras_choice.choose(request, read_script(script))
    assert (choice.env, choice.words) == (env, words)


@pytest.mark.parametrize(
    ("chosen", "used", "words"),
    [
        ("Keras 3 by default", (), "Keras 3 by default"),
        ("Keras 3 by default", ("3",), "Keras 3 by default"),
        ("Keras 3 by default", ("2",), "Keras 2, which the program chose"),
        ("Keras 2", ("3",), "Keras 3, which the program chose"),
        ("Keras 3 by default", ("2", "3"),
         "Keras 3 by default, and Keras 2, which the program uses too"),
        ("Keras 2, because the program uses the Estimator", ("2",),
         "Keras 2, because the program uses the Estimator"),
        ("", ("2",), ""),
    ],
)  # fmt: skip
def test_the_keras_that_a_program_really_uses_is_shown(chosen, used, words):
    assert keras_choice.words_of(chosen, used) == words
