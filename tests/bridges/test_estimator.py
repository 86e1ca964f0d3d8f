"""The Estimator bridge against the original: the numbers that TensorFlow 2.15.1 itself computes.

``golden/estimator_numbers.json`` was written by ``support/programs/estimator_golden.py`` under
TensorFlow 2.15.1 without any part of mwtutor. Here the same programs run as mwtutor's worker runs
them: on 2.15 this checks that the file is still correct and that watching training does not disturb
it, on later versions it checks the bridge."""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from mwtutor.bridges.estimator import program_uses_estimator
from mwtutor.bridges.estimator.supplied import SUPPLIED
from mwtutor.bridges.estimator.versions import BRIDGED, NATIVE
from tests.support.clusters import warm
from tests.support.clusters.plain_cluster import run_cluster
from tests.support.programs.estimator_golden import CLUSTER, CLUSTERS, GOLDEN, LOCAL

pytestmark = pytest.mark.bridges


ROOT = Path(__file__).resolve().parents[2]
RUNNER = Path(__file__).parents[1] / "support" / "programs" / "estimator_runner.py"
TENSORFLOW = tuple(map(int, importlib.metadata.version("tensorflow").split(".")[:2]))
BRIDGE_NEEDED = TENSORFLOW not in NATIVE
needs_bridge = pytest.mark.skipif(not BRIDGE_NEEDED, reason="TensorFlow 2.15 has an Estimator")

RELATIVE, ABSOLUTE = 2e-5, 2e-6
"""float32 resolves 6e-8; versions differ in the order of additions, and 20 steps amplify that."""

expected = json.loads(GOLDEN.read_text())
LOCAL_CASES = [name for name in expected if name not in CLUSTERS]


def assert_same(actual: object, wanted: object, where: str) -> None:
    """Equal structure and words; numbers within the tolerance."""
    if isinstance(wanted, dict):
        assert isinstance(actual, dict)
        assert actual.keys() == wanted.keys(), where
        for key in wanted:
            assert_same(actual[key], wanted[key], f"{where}.{key}")
    elif isinstance(wanted, list):
        assert isinstance(actual, list)
        assert len(actual) == len(wanted), where
        for index, (one, other) in enumerate(zip(actual, wanted, strict=True)):
            assert_same(one, other, f"{where}[{index}]")
    elif isinstance(wanted, float):
        assert actual == pytest.approx(wanted, rel=RELATIVE, abs=ABSOLUTE), where
    else:
        assert actual == wanted, where


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, object], Path]:
    """One process runs every local case."""
    out = tmp_path_factory.mktemp("local")
    done = subprocess.run(
        [sys.executable, str(RUNNER), str(LOCAL), str(out / "local.json")],
        cwd=out,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return json.loads((out / "local.json").read_text()), out


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory):
    """Runs a cluster case once; returns its directory, where each task left its JSON."""
    ran: dict[str, Path] = {}

    def run(case: str) -> Path:
        if case not in ran:
            out = tmp_path_factory.mktemp(case)
            run_cluster(CLUSTERS[case], [str(RUNNER), str(CLUSTER), case], out)
            ran[case] = out
        return ran[case]

    return run


def read(directory: Path, name: str):
    return json.loads((directory / f"{name}.json").read_text())


@pytest.mark.full
@pytest.mark.tensorflow
@pytest.mark.parametrize("case", LOCAL_CASES)
def test_one_process_gives_the_numbers_of_the_original(local, case: str) -> None:
    assert_same(local[0][case], expected[case], case)


@pytest.mark.full
@pytest.mark.tensorflow
def test_progress_is_reported_for_every_training(local) -> None:
    """The first case trains 20 steps: reports from step 1 to 20, each with that step's loss."""
    steps, losses = zip(*read(local[1], "reported.local-0"), strict=True)
    last = steps.index(20)
    assert steps[0] == 1
    assert list(steps[: last + 1]) == sorted(set(steps[: last + 1]))
    assert losses[0] == pytest.approx(expected["momentum"][0], rel=RELATIVE)
    assert losses[last] == pytest.approx(expected["momentum"][-1], rel=RELATIVE)


@pytest.mark.tensorflow
@pytest.mark.e2e
@pytest.mark.parametrize(
    "case",
    [
        "multi_worker",  # the case that make test runs
        pytest.param("chief_ps", marks=pytest.mark.full),
        pytest.param("chief_ps_strategy", marks=pytest.mark.full),
    ],
)
def test_cluster_gives_the_losses_of_the_original(cluster, case: str) -> None:
    out = cluster(case)
    trainers = [path for path in out.glob(f"{case}.*.json") if "evaluator" not in path.name]
    assert len(trainers) == (2 if case == "multi_worker" else 1)
    for path in trainers:
        assert_same(json.loads(path.read_text())["losses"], expected[case], path.name)


@pytest.mark.full
@pytest.mark.tensorflow
@pytest.mark.e2e
@pytest.mark.parametrize("case", ["multi_worker", "chief_ps_strategy"])
def test_evaluator_follows_checkpoints_and_exports_the_last(cluster, case: str) -> None:
    """The trainers wait at step 10 for the evaluator, so it has seen at least two checkpoints."""
    out = cluster(case)
    assert (out / "evaluated").exists()
    assert len(list((out / "model" / "export" / "final").iterdir())) == 1
    assert list((out / "model" / "eval").glob("events*"))


@pytest.mark.full
@pytest.mark.tensorflow
@pytest.mark.e2e
def test_every_worker_reports_its_training(cluster) -> None:
    out = cluster("multi_worker")
    for name in ("reported.worker-0", "reported.worker-1"):
        reports = read(out, name)
        assert reports[0] == [1, pytest.approx(expected["multi_worker"][0], rel=RELATIVE)]
        assert reports[-1] == [20, pytest.approx(expected["multi_worker"][-1], rel=RELATIVE)]
    assert read(out, "reported.evaluator-0") == []


@pytest.mark.full
@pytest.mark.tensorflow
@pytest.mark.e2e
def test_asynchronous_training_ends_in_the_same_model(cluster) -> None:
    """Least squares with one solution: 1e-4 absolute, for weights of 0.04 to 0.3."""
    out = cluster("async")
    assert read(out, "async.chief-0")["weights"] == pytest.approx(expected["async"], abs=1e-4)
    assert len(read(out, "async.chief-0")["losses"]) > 0
    assert len(read(out, "async.worker-0")["losses"]) > 0


def run_fresh(source: str) -> str:
    """The output of a new Python for ``source``; ``warm.run_source`` is quicker."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(source)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


@pytest.mark.full
@pytest.mark.tensorflow
def test_nothing_is_loaded_before_it_is_used() -> None:
    """Importing the bridge loads no TensorFlow; installing it loads no Estimator, no tf.keras."""
    out = run_fresh(
        """
        import sys
        from mwtutor.bridges import estimator
        estimator.install_lazily()
        assert not {"tensorflow", "tensorflow_estimator"} & set(sys.modules)
        import tensorflow as tf
        import tensorflow.compat.v1 as tf1
        assert "tensorflow_estimator" not in sys.modules
        repr(tf.estimator), hasattr(tf.estimator, "__wrapped__")
        assert "tensorflow_estimator" not in sys.modules
        print(tf1.estimator.Estimator.__name__, tf.estimator.Estimator.__name__)
        print(tf.compat.v1.estimator.inputs.numpy_input_fn.__name__)
        import tensorflow.estimator, tensorflow.compat.v1.estimator
        from tensorflow import estimator
        from tensorflow.keras import layers
        print(layers.Dense.__module__.split(".")[0] in ("tf_keras", "keras"), tf.keras.Model.fit)
        """
    )
    assert out.startswith("Estimator EstimatorV2\nnumpy_input_fn\nTrue")


@pytest.mark.full
@pytest.mark.tensorflow
@needs_bridge
def test_enable_in_a_process_that_has_imported_tensorflow() -> None:
    """What a notebook kernel does, and what a worker forked from a warm process finds."""
    out = warm.run_source(
        """
        import os
        import tensorflow as tf
        from mwtutor.bridges import estimator
        estimator.enable()
        estimator.enable()
        from tensorflow.keras import layers
        print(tf.estimator.__name__, os.environ["TF_USE_LEGACY_KERAS"])
        print(layers.Dense.__module__, tf.keras.layers.Dense.__module__)
        """
    )
    assert out.split("\n")[:2] == [
        "tensorflow_estimator.python.estimator.api._v2.estimator 1",
        "tf_keras.src.layers.core.dense tf_keras.src.layers.core.dense",
    ]


@pytest.mark.full
@pytest.mark.tensorflow
@needs_bridge
@pytest.mark.parametrize(
    ("before", "says"),
    [
        ("tf.keras.layers", "Keras 3 is already loaded"),
        ("from tensorflow.keras import layers", "Keras 3 is already loaded"),
        ("import os; os.environ['TF_USE_LEGACY_KERAS'] = '0'", "asks for Keras 3"),
        ("tf.__version__ = '2.99.0'", "does not support TensorFlow 2.99.0"),
        (
            "from tensorflow.python.distribute import distribute_coordinator as d;"
            " del d.run_distribute_coordinator",
            "run_distribute_coordinator, which the Estimator compatibility layer needs",
        ),
    ],
)
def test_refuses_before_it_changes_anything(before: str, says: str) -> None:
    """The same error from ``enable``, at the first use, and from the Estimator's own import."""
    out = warm.run_source(
        f"""
        import os, sys
        import tensorflow as tf
        from mwtutor.bridges import estimator
        from mwtutor.exceptions import NotSupported
        {before}
        environment, finders = dict(os.environ), list(sys.meta_path)
        try:
            estimator.enable()
        except NotSupported as error:
            print(error.problem)
        assert dict(os.environ) == environment and sys.meta_path == finders
        assert not hasattr(tf, "estimator")
        estimator.install_lazily()
        for use in ("tf.estimator.Estimator", "__import__('tensorflow_estimator')"):
            try:
                eval(use)
            except NotSupported as error:
                print(error.problem)
        """
    )
    lines = out.strip().split("\n")
    assert len(lines) == 3
    assert all(says in line for line in lines)


@pytest.mark.full
@pytest.mark.tensorflow
@needs_bridge
def test_tpu_names_exist_and_say_that_they_do_nothing() -> None:
    out = warm.run_source(
        """
        from mwtutor.bridges import estimator
        from mwtutor.exceptions import NotSupported
        estimator.enable()
        from tensorflow.python.tpu import async_checkpoint, session_support, tpu_embedding
        from tensorflow.python.tpu import tpu_estimator, util
        import tensorflow as tf
        assert not isinstance(1, tpu_embedding.AdamParameters)
        assert tpu_estimator.TPUEstimator is tf.compat.v1.estimator.tpu.TPUEstimator
        for use in (
            tpu_embedding.AdamParameters,
            session_support.ResetComputation,
            async_checkpoint.AsyncCheckpointSaverHook,
        ):
            try:
                use()
            except NotSupported as error:
                print(error.problem)
        """
    )
    assert out.count("does not restore TPU training") == 3


@pytest.mark.full
@pytest.mark.tensorflow
def test_supplied_names_are_still_missing_from_tensorflow() -> None:
    """Fails when a TensorFlow brings a name back: then its row in the table can be removed."""
    names = [entry.name for entry in SUPPLIED if entry.name != "tensorflow.estimator"]
    out = warm.run_source(
        f"""
        import importlib, json
        import tensorflow as tf
        found = []
        for name in {names!r}:
            parent, _, last = name.rpartition(".")
            try:
                importlib.import_module(name)
            except ImportError:
                if not hasattr(importlib.import_module(parent), last):
                    continue
            found.append(name)
        print(json.dumps([found, hasattr(tf, "estimator")]))
        """
    )
    found, has_estimator = json.loads(out)
    assert found == ([] if BRIDGE_NEEDED else names)
    assert has_estimator is not BRIDGE_NEEDED


@pytest.mark.full
@pytest.mark.tensorflow
def test_a_failing_report_does_not_stop_training() -> None:
    out = warm.run_source(
        """
        from mwtutor.bridges import estimator
        calls = []
        def report(*, step, loss):
            calls.append(step)
            raise BrokenPipeError
        estimator.install_lazily()
        estimator.report_training(report, min_interval=0.0)
        import tensorflow as tf
        def model_fn(features, mode):
            w = tf.compat.v1.get_variable("w", (), initializer=tf.zeros_initializer())
            step = tf.compat.v1.train.get_global_step()
            op = tf.compat.v1.train.GradientDescentOptimizer(0.1).minimize((w - 1) ** 2, step)
            return tf.estimator.EstimatorSpec(mode, loss=(w - 1) ** 2, train_op=op)
        trained = tf.estimator.Estimator(model_fn).train(
            lambda: tf.data.Dataset.from_tensors(0).repeat(), steps=5
        )
        print(calls, trained.get_variable_value("global_step"))
        """
    )
    assert out.strip() == "[1] 5"


@pytest.mark.full
def test_this_tensorflow_is_a_known_one() -> None:
    assert TENSORFLOW in NATIVE + BRIDGED


@pytest.mark.full
@pytest.mark.parametrize(
    ("source", "uses"),
    [
        ("import tensorflow as tf\ntf.estimator.RunConfig()", True),
        ("import tensorflow as t\nt.compat.v1.estimator.RunConfig()", True),
        ("import tensorflow.compat.v1 as tf\ntf.estimator.Estimator", True),
        ("import tensorflow\ndef f():\n    return tensorflow.estimator", True),
        ("from tensorflow.compat import v1\nv1.estimator.Estimator", True),
        ("from tensorflow import estimator", True),
        ("from tensorflow.estimator import RunConfig", True),
        ("import tensorflow.compat.v1.estimator as e", True),
        ("import tensorflow_estimator as tfe", True),
        ("from tensorflow_estimator.python.estimator import util", True),
        ("import tensorflow as tf\ntf.keras.estimator.model_to_estimator", True),
        ("import tensorflow as tf\ngetattr(tf, 'estimator')", True),
        ("import importlib\nimportlib.import_module('tensorflow_estimator')", True),
        ("from common import tf\ntf.estimator.Estimator", True),
        ("import tensorflow as tf\ntf.keras.Sequential()", False),
        ("import sklearn\nmodel.estimator.fit()", False),
        ("# tf.estimator\nprint('tf.estimator')", False),
        ("from sklearn import estimator", False),
        ("def (", False),
    ],
)
def test_source_that_uses_the_estimator_is_recognized(tmp_path, source: str, uses: bool) -> None:
    script = tmp_path / "main.py"
    script.write_text(source)
    assert program_uses_estimator(script) is uses


@pytest.mark.full
@pytest.mark.parametrize(
    ("main", "module", "uses"),
    [
        ("import helper", "helper.py", True),
        ("from helper import build", "helper.py", True),
        ("import parts.model", "parts/model.py", True),
        ("from parts import model", "parts/model.py", True),
        ("import parts", "parts/__init__.py", True),
        ("import one", "two.py", False),
        ("import parts", "parts/model.py", False),
    ],
)
def test_modules_beside_the_script_are_followed(tmp_path, main, module, uses) -> None:
    (tmp_path / "main.py").write_text(main)
    place = tmp_path / module
    place.parent.mkdir(exist_ok=True)
    place.write_text("import main\nimport tensorflow as tf\ntf.estimator.Estimator")
    assert program_uses_estimator(tmp_path / "main.py") is uses


@pytest.mark.full
def test_relative_imports_and_circles_are_followed(tmp_path) -> None:
    package = tmp_path / "parts"
    package.mkdir()
    (tmp_path / "main.py").write_text("from parts.one import run")
    (package / "one.py").write_text("from . import two\nfrom .. import main")
    (package / "two.py").write_text("from .one import run\nfrom tensorflow import estimator")
    assert program_uses_estimator(tmp_path / "main.py")


@pytest.mark.full
def test_unreadable_source_is_not_a_reason_to_fail(tmp_path) -> None:
    assert not program_uses_estimator(tmp_path / "absent.py")
    (tmp_path / "bytes.py").write_bytes(b"\xff\x00")
    assert not program_uses_estimator(tmp_path / "bytes.py")
