"""Names and arguments that TensorFlow and Keras have removed, and limits of Keras 2."""

from __future__ import annotations

import importlib
import re
from typing import Any

from mwtutor.worker.advice.row import Row


def _is_name_of_tensorflow_1(error: BaseException, match: re.Match[str]) -> bool:
    home: Any = importlib.import_module("tensorflow.compat.v1")
    for part in filter(None, (match["package"] or "").split(".")):
        home = getattr(home, part, None)
    return hasattr(home, match["name"])


def _is_without_eager_execution(error: BaseException, match: re.Match[str]) -> bool:
    outside: Any = importlib.import_module("tensorflow").compat.v1
    return not outside.executing_eagerly_outside_functions()


ROWS = (
    Row(
        "AttributeError",
        r"module 'tensorflow(?:\._api\.v2\.(?P<package>[\w.]+))?' has no attribute '(?P<name>\w+)'",
        "{name} is a TensorFlow 1 name.",
        "Write import tensorflow.compat.v1 as tf, and call tf.disable_v2_behavior() after it.",
        in_cell="{name} is a TensorFlow 1 name. Use its replacement in TensorFlow 2, or launch "
        "the code as a program: @mw_launch 2 main.py.",
        applies=_is_name_of_tensorflow_1,
    ),
    Row(
        "AssertionError|AttributeError|RuntimeError",
        r"This API should only be used in TF2 environment"
        r"|object has no attribute 'get_updates'"
        r"|`tf\.data\.Dataset` only supports Python-style iteration in eager mode",
        "This call needs eager execution, which the program has disabled.",
        "Leave out tf.compat.v1.disable_eager_execution(), or disable_v2_behavior().",
        applies=_is_without_eager_execution,
    ),
    Row(
        "AttributeError|ModuleNotFoundError",
        r"module 'tensorflow' has no attribute 'contrib'"
        r"|No module named 'tensorflow\.(?:contrib|examples)",
        "This program was written for TensorFlow 1, and TensorFlow 2 has no replacement for a "
        "module that it uses.",
        "Look for a version of the program that was written for TensorFlow 2.",
    ),
    Row(
        "AttributeError",
        r"Strategy' object has no attribute 'experimental_run_v2'",
        "experimental_run_v2 was renamed in TensorFlow 2.2.",
        "Call strategy.run with the same arguments.",
    ),
    Row(
        "AttributeError",
        r"Strategy' object has no attribute 'experimental_make_numpy_dataset'",
        "experimental_make_numpy_dataset is a method of TensorFlow 1's strategies only.",
        "Call tf.data.Dataset.from_tensor_slices with the same arrays.",
    ),
    Row(
        "TypeError",
        r"Strategy\.__init__\(\) got an unexpected keyword argument 'communication'",
        "Only older strategies have an argument named communication.",
        "Pass communication_options=tf.distribute.experimental.CommunicationOptions("
        "implementation=...) instead.",
    ),
    Row(
        "AttributeError",
        r"Dataset' object has no attribute 'make_\w+_iterator'",
        "This code creates an iterator as in TensorFlow 1.",
        "Write iter(dataset), or tf.compat.v1.data.make_one_shot_iterator(dataset) in a graph.",
    ),
    Row(
        "ValueError",
        r"Stateful RNNs .* are not yet supported with tf\.distribute\.Strategy",
        "Keras 2 does not support recurrent layers with stateful=True under a strategy.",
        "Leave stateful=True out, or create the model without a strategy.",
    ),
    Row(
        "AttributeError|ModuleNotFoundError",
        r"module 'keras\.wrappers' has no attribute 'scikit_learn'|keras\.wrappers\.scikit_learn'",
        "tf.keras no longer has the wrappers for scikit-learn.",
        "Import KerasClassifier or KerasRegressor from the package scikeras.",
    ),
)
