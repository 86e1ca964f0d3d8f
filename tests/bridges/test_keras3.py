"""The Keras 3 bridge from outside: when it is put in place, when not, and what it leaves alone.

``tests/parity`` tests that it trains correctly.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from mwtutor.bridges.keras3.versions import KNOWN, recognized
from mwtutor.system.ports import HeldPorts
from tests.parity import table
from tests.parity.served import table as served_table
from tests.parity.versions import keras_versions
from tests.support.clusters import warm
from tests.support.clusters.plain_cluster import run_cluster

pytestmark = [pytest.mark.tensorflow, pytest.mark.full]
needs_keras3 = pytest.mark.skipif(3 not in keras_versions(), reason="no Keras 3 here")


def run_fresh(program: str) -> str:
    """Run a program in a fresh interpreter: the bridge changes a process permanently."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.parametrize(
    ("tensorflow", "keras", "known"),
    [
        ("2.16.2", "3.10.0", True),
        ("2.21.0", "3.15.1", True),
        ("2.20.0-rc0", "3.12.1", True),
        ("2.15.1", "3.10.0", False),
        ("2.21.0", "3.9.2", False),
        ("2.22.0", "3.15.1", False),
        ("2.21.0", "4.0.0", False),
    ],
)
def test_recognized_pairs(tensorflow: str, keras: str, known: bool) -> None:
    assert recognized(tensorflow, keras) is known


@needs_keras3
def test_lazily_before_keras_is_imported() -> None:
    """Nothing is imported until the program imports Keras, here through ``tf.keras``."""
    run_fresh(
        """
        import sys
        from mwtutor.bridges import keras3
        keras3.install_lazily()
        keras3.install_lazily()
        assert "keras" not in sys.modules and "tensorflow" not in sys.modules
        import tensorflow as tf
        fit = tf.keras.Model.fit
        assert hasattr(fit, "__mwtutor_bridge__"), fit
        assert not any(type(finder).__name__ == "_AfterKeras" for finder in sys.meta_path)
        """
    )


@needs_keras3
def test_the_program_of_the_how_to_page_trains_as_one_process_does(tmp_path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "keras3.md").read_text()
    program = re.search(r"```python\n(.*?)```", page, re.S)[1]
    (tmp_path / "main.py").write_text(program)
    run_cluster({"worker": 2}, ["main.py"], tmp_path)
    alone = program.replace(
        "tf.distribute.MultiWorkerMirroredStrategy()", "tf.distribute.get_strategy()"
    )
    expected = float(warm.run_source(alone).split()[-1])
    for index in (0, 1):
        printed = (tmp_path / f"worker-{index}.log").read_text().split()
        assert float(printed[-1]) == pytest.approx(expected, rel=1e-5)


@needs_keras3
def test_the_call_brings_nothing_but_keras_and_tensorflow() -> None:
    told = run_fresh(
        """
        import sys
        import keras, tensorflow
        before = set(sys.modules)
        import mwtutor
        assert mwtutor.enable_keras3()
        new = {name.partition(".")[0] for name in set(sys.modules) - before}
        print(*sorted(new - sys.stdlib_module_names))
        """
    )
    assert set(told.split()) <= {"keras", "tensorflow", "mwtutor"}


@needs_keras3
def test_keras_without_a_strategy_or_under_another_is_left_alone() -> None:
    """The same bits with the bridge and without it, in one process and under MirroredStrategy."""
    program = """
        import numpy as np, tensorflow as tf, keras, contextlib
        if {bridge}:
            from mwtutor.bridges import keras3
            assert keras3.enable_keras3() and keras3.enable_keras3()
        cpu = tf.config.list_physical_devices("CPU")[0]
        two = [tf.config.LogicalDeviceConfiguration()] * 2
        tf.config.set_logical_device_configuration(cpu, two)
        x = np.linspace(-1, 1, 64, dtype="float32").reshape(16, 4)
        y = x.sum(1)
        mirrored = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
        for scope in (contextlib.nullcontext, mirrored.scope):
            keras.utils.set_random_seed(1)
            with scope():
                model = keras.Sequential([
                    keras.Input((4,)), keras.layers.Dense(3), keras.layers.BatchNormalization(),
                    keras.layers.Dropout(0.3), keras.layers.Dense(1),
                ])
                optimizer = keras.optimizers.Adam(0.1, global_clipnorm=0.1)
                model.compile(optimizer, "mse", metrics=["mae"])
            history = model.fit(x, y, batch_size=8, epochs=2, verbose=0, shuffle=False).history
            print(*(w.tobytes().hex() for w in model.get_weights()))
            print(history, model.predict(x, verbose=0).tobytes().hex())
        """
    assert warm.run_source(program.format(bridge=True)) == warm.run_source(
        program.format(bridge=False)
    )


@needs_keras3
def test_a_worker_without_others_may_train_a_model_of_no_strategy() -> None:
    """A worker alone in its cluster counts as one that has joined no others."""
    with HeldPorts(1) as held:
        cluster = {"cluster": {"worker": held.addresses}}
        config = json.dumps({**cluster, "task": {"type": "worker", "index": 0}})
        told = warm.run_source(
            f"""
            import os
            os.environ.update(TF_CONFIG={config!r}, TF_GRPC_REUSE_PORT="1")
            import tensorflow as tf, keras
            from mwtutor.bridges import keras3
            assert keras3.enable_keras3()
            strategy = tf.distribute.MultiWorkerMirroredStrategy()
            model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
            model.compile("sgd", "mse")
            print(model.fit(tf.zeros((4, 2)), tf.zeros((4, 1)), verbose=0).history)
            """
        )
    assert "{'loss': [0.0]}" in told


@needs_keras3
def test_what_it_does_not_know_is_left_alone_as_a_whole() -> None:
    """Another backend, an unknown version, and a Keras in which one place is missing."""
    output = warm.run_source(
        """
        import warnings, keras
        from keras.src.optimizers.loss_scale_optimizer import LossScaleOptimizer
        from mwtutor.bridges import keras3
        fit, real, tensorflow = keras.Model.fit, keras.__version__, keras.backend.backend
        keras.backend.backend = lambda: "jax"
        assert keras3.enable_keras3() is False
        keras.backend.backend = tensorflow
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            keras.__version__ = "3.99.0"
            assert keras3.enable_keras3() is False
            keras.__version__ = real
            del LossScaleOptimizer._tf_apply
            assert keras3.enable_keras3() is False
        print(*(warning.message for warning in caught if "mwtutor" in str(warning.message)))
        assert keras.Model.fit is fit
        """
    )
    assert "3.99.0" in output
    assert KNOWN in output
    assert "LossScaleOptimizer has no _tf_apply" in output


@needs_keras3
def test_lazily_after_keras_is_imported_leaves_the_runtime_untouched() -> None:
    """As in a worker forked from a process that imported both and executed nothing."""
    warm.run_source(
        """
        import tensorflow as tf, keras
        from tensorflow.python.eager import context
        from mwtutor.bridges import keras3
        keras3.install_lazily()
        assert hasattr(keras.Model.fit, "__mwtutor_bridge__")
        made = context.context_safe()
        assert made is None or made._context_handle is None
        """
    )


@needs_keras3
def test_each_replacement_says_why_since_when_and_until_which_row_passes() -> None:
    """Rows are named by their beginning; one replacement only supports another."""
    told = warm.run_source(
        """
        import dataclasses, json
        from mwtutor.bridges import keras3
        patches = keras3.patches()
        assert len({(p.where, p.name, p.wrap) for p in patches}) == len(patches)
        print(json.dumps([[p.name, p.why, p.since, p.issue, p.until] for p in patches]))
        """
    )
    rows = [row.replace("`", "") for row in (*table.rows(), *served_table.rows())]
    for name, why, since, issue, until in json.loads(told.splitlines()[-1]):
        assert why
        assert since.startswith("3.")
        assert all(url.startswith("https://github.com/") for url in issue.split(", "))
        named = re.findall(r"'([^']*)'", until)
        assert named or name == "_stateful_handle_finite_grads"
        for beginning in named:
            assert any(row.startswith(beginning.replace("`", "")) for row in rows), beginning
