"""Keras 3's errors for code that runs on Keras 2."""

from __future__ import annotations

import itertools
import linecache
import os
import re
import sys
import traceback
from typing import Any

from mwtutor.system.variables import asks_for_keras_2
from mwtutor.worker.advice.row import Row, main_file

KERAS_2 = "This program was written for Keras 2: launch it with --keras 2."
KERAS_2_CELL = "This cell was written for Keras 2: start the session with --keras 2."


def keras_3_by_way_of_tensorflow(place: traceback.FrameSummary | None) -> bool:
    """Whether ``--keras 2`` would change anything: ``import keras`` ignores it."""
    keras = sys.modules.get("keras")
    if keras is None or not str(getattr(keras, "__version__", "")).startswith("3."):
        return False
    if asks_for_keras_2(os.environ):
        return False
    main = sys.modules.get("__main__")
    files = {main_file(), place.filename if place else ""}
    cells = "\n".join(getattr(main, "In", ())).splitlines()  # IPython's cells
    direct = re.compile(r"\s*(?:import|from)\s+keras\b")
    lines = itertools.chain(cells, *map(linecache.getlines, files))
    return not any(map(direct.match, lines))


def _is_kerass(error: BaseException, match: re.Match[str]) -> bool:
    """Whether the attribute was looked up on a Keras object, not on one of the user's."""
    looked = getattr(error, "obj", None)
    return any(base.__module__.startswith("keras.") for base in type(looked).__mro__)


def _keras_2(error: str, message: str, applies: Any = Row.applies) -> Row:
    return Row(error, message, KERAS_2, "", in_cell=KERAS_2_CELL, applies=applies)


ROWS = (
    _keras_2(
        "AttributeError",
        r"object has no attribute"
        r" '(?:reset_states|fit_generator|evaluate_generator|predict_generator|lr|minimize)'",
        _is_kerass,
    ),
    _keras_2(
        "AttributeError",
        r"module 'keras\._tf_keras\.keras(?:\.layers)?' has no attribute 'experimental'"
        r"|module 'keras\._tf_keras\.keras\.backend' has no attribute"
        r" '(?:set_learning_phase|experimental)'",
    ),
    # tf.keras.utils is the module keras.utils.
    _keras_2(
        "AttributeError",
        r"module 'keras\.utils' has no attribute '(?:experimental|SidecarEvaluator)'",
    ),
    _keras_2("ImportError", r"`keras\.optimizers\.legacy` is not supported in Keras 3"),
    _keras_2(
        "TypeError",
        # With the Keras 3 layer, the function's name is missing, because the layer itself binds the
        # arguments of fit.
        r"(?:(?:Trainer\.\w+|ModelCheckpoint\.__init__|Optimizer\.apply_gradients)\(\) |\A"
        r"TypeError: )got an unexpected keyword argument"
        r" '(?:workers|use_multiprocessing|max_queue_size|period"
        r"|experimental_run_tf_function|reset_metrics|experimental_aggregate_gradients)'",
    ),
    _keras_2(
        "ValueError",
        r"The `save_format` argument is deprecated in Keras 3"
        r"|Invalid filepath extension for saving"
        r"|The filename must end in `\.weights\.h5`"
        r"|the filepath provided must end in `\.weights\.h5`"
        r"|The filepath provided must end in `\.keras`"
        r"|File format not supported: filepath=",
    ),
    _keras_2(
        "ValueError",
        r"A KerasTensor cannot be used as input to a TensorFlow function"
        r"|Cannot convert '\d+' to a shape"
        r"|`name` must be passed as a keyword argument\. Received: add_weight"
        r"|Argument\(s\) not recognized: \{'lr':"
        r"|Invalid value for argument `reduction`.* Received: reduction=auto"
        r"|Unrecognized keyword arguments passed to \w+: \{'weights':",
    ),
)
