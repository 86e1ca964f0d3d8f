"""Everything that the Estimator does in one process, with a case for each feature.

``estimator_local.py OUT [CASE...]`` writes ``{case: numbers}`` as JSON; every number follows from
formulas, so every TensorFlow must write the same file.
"""

from __future__ import annotations

import functools
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import tensorflow as tf
from estimator_model import (
    BATCH,
    CLASSES,
    FEATURES,
    RecordLoss,
    examples,
    input_fn,
    model_fn,
    serving_input_fn,
    wave,
    write,
)

STEPS = 20
CASES: dict[str, Callable[[Path], object]] = {}


def case(function: Callable[[Path], object]) -> Callable[[Path], object]:
    """Register a case; it gets an empty directory and returns numbers."""
    CASES[function.__name__] = function
    return function


def build(model_dir: Path, optimizer: str = "momentum", warm_start_from=None, **config):
    return tf.estimator.Estimator(
        model_fn,
        config=tf.estimator.RunConfig(str(model_dir), **config),
        params={"optimizer": optimizer},
        warm_start_from=warm_start_from,
    )


def train(estimator, inputs=input_fn, **until) -> list[float]:
    record = RecordLoss()
    estimator.train(inputs, hooks=[record], **(until or {"max_steps": STEPS}))
    return record.losses


def once(**columns: str) -> tf.data.Dataset:
    return input_fn(epochs=1)


def numbers(metrics: dict) -> dict[str, float]:
    return {name: float(value) for name, value in sorted(metrics.items())}


def two_devices():
    return tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])


# Graph sessions create their own devices; without this setting, both replicas would wait on one.
TWO_CPUS = tf.compat.v1.ConfigProto(device_count={"CPU": 2}, allow_soft_placement=True)


@case
def momentum(out: Path):
    return train(build(out))


@case
def adam(out: Path):
    return train(build(out, "adam"))


@case
def keras_optimizer(out: Path):
    return train(build(out, "keras"))


@case
def mirrored(out: Path):
    strategy = two_devices()
    estimator = build(
        out, train_distribute=strategy, eval_distribute=strategy, session_config=TWO_CPUS
    )
    losses = train(estimator, functools.partial(input_fn, BATCH // 2))
    return {"losses": losses, "evaluation": numbers(estimator.evaluate(once))}


@case
def train_and_evaluate(out: Path):
    """TrainSpec and EvalSpec: evaluations of every checkpoint, hooks, and three exporters."""
    train_record, seen = RecordLoss(), []

    class Seen(tf.compat.v1.train.SessionRunHook):
        def end(self, session):
            seen.append(int(session.run(tf.compat.v1.train.get_global_step())))

    exporters = [
        tf.estimator.FinalExporter("final", serving_input_fn),
        tf.estimator.LatestExporter("latest", serving_input_fn, exports_to_keep=1),
        tf.estimator.BestExporter("best", serving_input_fn),
    ]
    metrics, exported = tf.estimator.train_and_evaluate(
        build(out, save_checkpoints_steps=5),
        tf.estimator.TrainSpec(input_fn, max_steps=STEPS, hooks=[train_record]),
        tf.estimator.EvalSpec(once, None, hooks=[Seen()], exporters=exporters, throttle_secs=0),
    )
    return {
        "losses": train_record.losses,
        "evaluated at": seen,
        "metrics": numbers(metrics),
        "exports": {
            exporter.name: len(list((out / "export" / exporter.name).glob("[0-9]*")))
            for exporter in exporters
        },
        "exported by the last call": [path is not None for path in exported],
    }


@case
def checkpoints_and_resume(out: Path):
    """Eight steps are two epochs: a resumed training continues the losses of one long run."""
    first = train(build(out), max_steps=8)
    estimator = build(out, save_checkpoints_steps=4, keep_checkpoint_max=2)
    then = train(estimator)
    kept = tf.train.get_checkpoint_state(str(out)).all_model_checkpoint_paths
    assert train(build(out)) == []  # max_steps is reached already
    return {
        "losses": first + then,
        "kept": [int(path.rpartition("-")[2]) for path in kept],
        "step": int(estimator.get_variable_value("global_step")),
        "names": len(estimator.get_variable_names()),
    }


@case
def warm_start(out: Path):
    train(build(out / "a"), max_steps=8)
    everything = train(build(out / "b", warm_start_from=str(out / "a")), steps=4)
    settings = tf.estimator.WarmStartSettings(str(out / "a"), vars_to_warm_start=["w1", "b1"])
    partly = train(build(out / "c", warm_start_from=settings), steps=4)
    return {"everything": everything, "one layer": partly}


@case
def predict(out: Path):
    estimator = build(out)
    train(estimator)
    rows = list(estimator.predict(once))
    (batches, *_) = estimator.predict(once, predict_keys=["class"], yield_single_examples=False)
    return {
        "logits": [row["logits"].tolist() for row in rows],
        "class": [int(row["class"]) for row in rows],
        "first batch": batches["class"].tolist(),
    }


@case
def saved_model(out: Path):
    estimator = build(out)
    train(estimator)
    path = estimator.export_saved_model(str(out / "saved"), serving_input_fn)
    served = tf.saved_model.load(path.decode()).signatures["serving_default"]
    x, _ = examples()
    answer = served(tf.constant(x))
    expected = [row["logits"] for row in estimator.predict(once)]
    np.testing.assert_allclose(answer["logits"], expected, rtol=1e-5, atol=1e-6)
    return {"logits": answer["logits"].numpy().tolist(), "outputs": sorted(answer)}


@case
def hooks(out: Path):
    """The hooks of tf.estimator.experimental that control training, and saving listeners."""
    estimator = build(out, save_checkpoints_steps=5)
    saved: list[int] = []

    class Listener(tf.estimator.CheckpointSaverListener):
        def after_save(self, session, global_step_value):
            saved.append(int(global_step_value))

    stop = tf.estimator.experimental.make_early_stopping_hook(
        estimator, lambda: len(saved) > 2, run_every_secs=None, run_every_steps=1
    )
    evaluated = tf.estimator.experimental.InMemoryEvaluatorHook(estimator, once, every_n_iter=5)
    estimator.train(input_fn, hooks=[stop, evaluated], max_steps=50, saving_listeners=[Listener()])
    # TensorFlow's hook reads the step's number beside the operation that changes it, and so may
    # stop one step later, which is saved as well.
    assert saved[3:] in ([], [11]), saved
    return {"saved": saved[:3], "evaluated": len(list((out / "eval").glob("events*")))}


@case
def add_metrics(out: Path):
    def largest(predictions):
        metric = tf.keras.metrics.Mean("largest logit")
        metric.update_state(tf.reduce_max(predictions["logits"], axis=1))
        return {"largest logit": metric}

    def with_predictions(features, labels, mode, params):
        spec = model_fn(features, labels, mode, params)
        if mode != tf.estimator.ModeKeys.EVAL:
            return spec
        answers = model_fn(features, labels, tf.estimator.ModeKeys.PREDICT, params)
        return spec._replace(predictions=answers.predictions)

    def reused(features, labels, mode, params):
        with tf.compat.v1.variable_scope("", reuse=tf.compat.v1.AUTO_REUSE):
            return with_predictions(features, labels, mode, params)

    estimator = tf.estimator.Estimator(reused, str(out), params={})
    train(estimator)
    return numbers(tf.estimator.add_metrics(estimator, largest).evaluate(once))


def columns() -> list:
    return [tf.feature_column.numeric_column("x", [FEATURES])]


def regression() -> tf.data.Dataset:
    x, _ = examples()
    target = x @ wave(FEATURES, 1)
    return tf.data.Dataset.from_tensor_slices(({"x": x}, target)).repeat().batch(BATCH)


def canned(estimator, inputs=input_fn) -> dict[str, object]:
    losses = train(estimator, inputs)
    return {"losses": losses, "evaluation": numbers(estimator.evaluate(inputs, steps=4))}


@case
def linear_classifier(out: Path):
    """Starts from zeros, and serves three signatures whose input is tf.train.Example."""
    estimator = tf.estimator.LinearClassifier(columns(), str(out), n_classes=CLASSES)
    result = canned(estimator)
    spec = tf.feature_column.make_parse_example_spec(columns())
    serving = tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)
    path = estimator.export_saved_model(str(out / "saved"), serving).decode()
    model = tf.saved_model.load(path)
    (features, _) = examples()
    example = tf.train.Example()
    example.features.feature["x"].float_list.value.extend(features[0])
    text = tf.constant([example.SerializeToString()])
    answer = model.signatures["predict"](examples=text)
    result["signatures"] = sorted(model.signatures)
    result["served"] = answer["probabilities"].numpy().tolist()
    return result


@case
def linear_regressor(out: Path):
    return canned(tf.estimator.LinearRegressor(columns(), str(out)), regression)


@case
def baseline_classifier(out: Path):
    return canned(tf.estimator.BaselineClassifier(str(out), n_classes=CLASSES))


def falls(losses: list[float]) -> bool:
    return losses[-1] < 0.8 * losses[0]


@case
def networks(out: Path):
    """Deep canned estimators draw their initial values, so the case shows only that they learn."""
    config = tf.estimator.RunConfig(tf_random_seed=1)

    def adam():
        return tf.keras.optimizers.legacy.Adam(0.05)

    deep = tf.estimator.DNNClassifier(
        [16], columns(), n_classes=CLASSES, optimizer=adam, config=config
    )
    both = tf.estimator.DNNLinearCombinedClassifier(
        linear_feature_columns=columns(),
        dnn_feature_columns=columns(),
        dnn_hidden_units=[16],
        dnn_optimizer=adam,
        n_classes=CLASSES,
        config=config,
    )
    v1 = tf.compat.v1.estimator.DNNClassifier([16], columns(), n_classes=CLASSES, config=config)
    return [falls(train(e, max_steps=40)) for e in (deep, both, v1)]


@case
def compat_v1(out: Path):
    """The names of TF 1: a canned estimator with a TF 1 optimizer, ``inputs``, and k-means."""
    old = tf.compat.v1.estimator
    linear = old.LinearRegressor(
        columns(), str(out / "linear"), optimizer=tf.compat.v1.train.GradientDescentOptimizer(0.01)
    )
    x, _ = examples()
    target = x @ wave(FEATURES, 1)
    inputs = old.inputs.numpy_input_fn({"x": x}, target, BATCH, num_epochs=5, shuffle=False)
    means = old.experimental.KMeans(
        3,
        str(out / "means"),
        initial_clusters=lambda *_: x[:3],
        use_mini_batch=False,  # mini-batches update variables while they read them: a race
        feature_columns=columns(),
    )
    all_rows = old.inputs.numpy_input_fn({"x": x}, None, len(x), num_epochs=None, shuffle=False)
    means.train(all_rows, steps=30)  # more steps than it needs to converge
    return {"linear": train(linear, inputs), "clusters": means.cluster_centers().tolist()}


def keras_model():
    def constant(*shape: int):
        return tf.constant_initializer(wave(*shape))

    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [
            layers.Dense(16, "tanh", kernel_initializer=constant(FEATURES, 16), name="hidden"),
            layers.Dense(CLASSES, kernel_initializer=constant(16, CLASSES), name="logits"),
        ]
    )
    model.build([None, FEATURES])
    model.compile(
        tf.keras.optimizers.legacy.SGD(0.2),
        tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        ["accuracy"],
    )
    return model


def keras_inputs(epochs: int | None = None) -> tf.data.Dataset:
    def rename(features, label):
        return {"hidden_input": features["x"]}, label

    return input_fn(epochs=epochs).map(rename)


@case
def model_to_estimator(out: Path):
    estimator = tf.keras.estimator.model_to_estimator(keras_model(), model_dir=str(out))
    result: dict[str, object] = {"losses": train(estimator, keras_inputs)}
    once_more = functools.partial(keras_inputs, 1)
    result["evaluation"] = numbers(estimator.evaluate(once_more))
    result["logits"] = [row["logits"].tolist() for row in estimator.predict(once_more)][:4]
    return result


@case
def model_to_estimator_mirrored(out: Path):
    config = tf.estimator.RunConfig(
        str(out), train_distribute=two_devices(), session_config=TWO_CPUS
    )
    estimator = tf.keras.estimator.model_to_estimator(keras_model(), config=config)
    return train(estimator, keras_inputs)


def run() -> Iterator[tuple[str, object]]:
    for name in sys.argv[2:] or CASES:
        with tempfile.TemporaryDirectory() as directory:
            yield name, CASES[name](Path(directory))


if __name__ == "__main__":
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
    write(Path(sys.argv[1]), dict(run()))
