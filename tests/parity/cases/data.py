"""Rows about input data, and about the results of evaluate and predict."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tests.parity.case import Cases, Env, Promise, Result
from tests.parity.models import (
    BATCH,
    FEATURES,
    arrays,
    barrier,
    compiled,
    dataset,
    fit,
    labels_of_two,
    logs,
    quiet,
    trained,
    two_classes,
    weights,
)

CASES = Cases()


@CASES.add("`fit` with `tf.data`, auto-sharded", workers=(2, 3))
def fit_tf_data(env: Env) -> Result:
    return trained(env, epochs=2, hidden=list, metrics=["accuracy"])


@CASES.add("`fit` with `distribute_datasets_from_function`")
def fit_from_function(env: Env) -> Result:
    x, y = arrays()

    def shard(context: tf.distribute.InputContext) -> tf.data.Dataset:
        size = context.get_per_replica_batch_size(BATCH)
        ours = np.arange(len(x)) % BATCH // size == context.input_pipeline_id
        return quiet(tf.data.Dataset.from_tensor_slices((x[ours], y[ours])).batch(size).repeat())

    model = compiled(env)
    data = quiet(dataset().repeat())
    if env.strategy is not None:
        data = env.strategy.distribute_datasets_from_function(shard)
    fit(model, data, steps_per_epoch=len(x) // BATCH)
    return weights(model)


@CASES.add("`fit` with `steps_per_epoch` and a repeated dataset")
def fit_steps_per_epoch(env: Env) -> Result:
    model = compiled(env)
    fit(model, quiet(dataset().repeat()), epochs=2, steps_per_epoch=3)
    return weights(model)


@CASES.add("`fit` with NumPy arrays")
def fit_numpy(env: Env) -> Result:
    model = compiled(env)
    fit(model, *arrays(), batch_size=BATCH, shuffle=False)
    return weights(model)


@CASES.add("`fit` with NumPy arrays, shuffled with a common seed")
def fit_numpy_shuffled(env: Env) -> Result:
    model = compiled(env)
    env.keras.utils.set_random_seed(11)
    fit(model, *arrays(), batch_size=BATCH, epochs=2)
    return weights(model)


UNSEEDED = "`fit` with NumPy arrays, shuffled without a seed"


@CASES.add(UNSEEDED, keras=(3,), note="Keras 3: an order that the workers agree on")
def fit_numpy_unseeded(env: Env) -> Result:
    """Row i adds 2**i to the sum of an epoch: each row counts once, in a new order each epoch."""
    sums, orders = _seen(env)
    return {"sums": sums, "orders": np.array(len({tuple(order) for order in orders}))}


@CASES.add(
    UNSEEDED,
    Promise.AS_IS,
    keras=(2,),
    reference=lambda env: {"every row": np.array(0)},
    note="Keras 2: every worker has its own order, so rows are repeated and lost",
)
def fit_numpy_unseeded_2(env: Env) -> Result:
    sums, _ = _seen(env)
    return {"every row": np.array(int(all(sums == 2.0**SEEN - 1)))}


SEEN = 20


def _seen(env: Env) -> tuple[np.ndarray, np.ndarray]:
    """The sum of all rows in each of three epochs, and the sums of its batches."""
    tf.random.set_seed(None)
    x = 2.0 ** np.arange(SEEN, dtype="float32")[:, None]
    with env.scope():
        model = env.keras.Sequential(
            [env.keras.Input((1,)), env.keras.layers.Dense(1, kernel_initializer="ones")]
        )
        batches: list[float] = []
        model.compile(env.keras.optimizers.SGD(0.0), loss=lambda y, outputs: tf.abs(outputs)[:, 0])
    told = env.keras.callbacks.LambdaCallback(
        on_train_batch_end=lambda batch, logs: batches.append(logs["loss"])
    )
    history = fit(model, x, x, epochs=3, batch_size=4, callbacks=[told]).history
    return np.array(history["loss"]) * SEEN, np.array(batches).reshape(3, -1)


@CASES.add("`validation_data`")
def validation_data(env: Env) -> Result:
    model = compiled(env, metrics=["accuracy"])
    x, y = arrays(24)
    history = fit(model, epochs=2, validation_data=dataset(x[::-1].copy(), y))
    return {**weights(model), **logs(history.history)}


@CASES.add("`class_weight`")
def class_weight(env: Env) -> Result:
    model = compiled(env)
    fit(model, class_weight={0: 1.0, 1: 2.0, 2: 0.5})
    return weights(model)


@CASES.add("`sample_weight`")
def sample_weight(env: Env) -> Result:
    x, y = arrays()
    model = compiled(env, weighted_metrics=["accuracy"])
    history = fit(model, dataset(x, y, np.linspace(0.1, 2, len(x), dtype="float32")))
    return {**weights(model), **logs(history.history)}


@CASES.add("`steps_per_execution`")
def steps_per_execution(env: Env) -> Result:
    return trained(env, steps_per_execution=3, metrics=["accuracy"])


@CASES.add("`evaluate`", workers=(2, 3))
def evaluate(env: Env) -> Result:
    model = compiled(env, metrics=["accuracy"])
    values = model.evaluate(dataset(), verbose=0, return_dict=True)
    return logs(values)


@CASES.add("`evaluate`, uneven last batch")
def evaluate_uneven(env: Env) -> Result:
    model = compiled(env, metrics=["accuracy"])
    return logs(model.evaluate(dataset(*arrays(29)), verbose=0, return_dict=True))


@CASES.add("metrics with state: AUC, top-k")
def stateful_metrics(env: Env) -> Result:
    metrics = env.keras.metrics
    with env.scope():
        auc = metrics.AUC(name="auc")
    binary = logs(fit(two_classes(env, auc), dataset(*labels_of_two())).history)
    with env.scope():
        extra = [
            metrics.SparseTopKCategoricalAccuracy(2, name="top2"),
            metrics.SparseCategoricalAccuracy(name="accuracy"),
        ]
    many = logs(fit(compiled(env, metrics=extra)).history)
    return {**{f"binary {k}": v for k, v in binary.items()}, **many}


@CASES.add("`predict`: rows in order, none lost or doubled", workers=(2, 3))
def predict(env: Env) -> Result:
    model = compiled(env)
    x, _ = arrays(29)
    return {
        "even": model.predict(dataset(x[:24]).map(lambda x: (x,)), verbose=0),
        "uneven": model.predict(dataset(x).map(lambda x: (x,)), verbose=0),
        "a worker without rows": model.predict(dataset(x[:25]).map(lambda x: (x,)), verbose=0),
        "array": model.predict(x, batch_size=BATCH, verbose=0),
    }


@CASES.add("`predict` from files, in order")
def predict_from_files(env: Env) -> Result:
    x, _ = arrays(32)
    paths = [str(env.directory / f"rows{i}.csv") for i in range(4)]
    if env.index == 0:
        for i, path in enumerate(paths):
            with open(path, "w") as stream:
                np.savetxt(stream, x[8 * i : 8 * i + 8])
    barrier(env)
    lines = tf.data.Dataset.from_tensor_slices(paths).interleave(
        tf.data.TextLineDataset, cycle_length=1
    )
    rows = lines.map(
        lambda line: tf.ensure_shape(tf.strings.to_number(tf.strings.split(line, " ")), (FEATURES,))
    )
    options = tf.data.Options()
    options.autotune.enabled = False
    model = compiled(env)
    return {"rows": model.predict(rows.batch(BATCH).with_options(options), verbose=0)}
