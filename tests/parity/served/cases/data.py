"""Rows about input data, and about the results of evaluate and predict."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tests.parity.case import Env, Promise, Result
from tests.parity.models import (
    BATCH,
    ROWS,
    arrays,
    compiled,
    dataset,
    fit,
    fix_weights,
)
from tests.parity.served.cases.common import (
    CASES,
    STEPS,
    after,
    endless,
    function,
    made,
    trained,
)


@CASES.add("`fit` with a `tf.data.Dataset`", workers=(1,))
def fit_dataset(env: Env) -> Result:
    return trained(env, hidden=list, metrics=["accuracy"])


ROW = "`fit` with a `tf.data.Dataset` that ends, without `steps_per_epoch`"


@CASES.add(
    ROW, keras=(3,), workers=(1,), note="an epoch has as many steps as the dataset has batches"
)
def fit_finite(env: Env) -> Result:
    model = compiled(env)
    return after(model, fit(model, epochs=2))


@CASES.add(
    ROW,
    Promise.AS_IS,
    keras=(2,),
    workers=(1,),
    note="Keras 2 raises an error at the end of the data: add `repeat` and `steps_per_epoch`",
)
def fit_finite_2(env: Env) -> Result:
    ended = env.strategy is None
    try:
        fit(compiled(env), epochs=2)
    except tf.errors.OpError:
        ended = True
    return {"ended": np.array(int(ended))}


@CASES.add(
    "`fit` with a function that makes a dataset",
    workers=(1,),
    note="Keras 2: in a `DatasetCreator`; Keras 3: the function itself",
)
def fit_function(env: Env) -> Result:
    model = compiled(env)
    return after(model, fit(model, function(env, made), epochs=2, steps_per_epoch=STEPS))


@CASES.add("`fit` with `distribute_datasets_from_function`", workers=(1,))
def fit_distributed_function(env: Env) -> Result:
    model = compiled(env)
    data = endless()
    if env.strategy is not None:
        data = env.strategy.distribute_datasets_from_function(made)
    return after(model, fit(model, data, epochs=2, steps_per_epoch=STEPS))


ROW = "`fit` with `create_per_worker_dataset`"


@CASES.add(ROW, keras=(3,), workers=(1,))
def fit_per_worker(env: Env) -> Result:
    model = compiled(env)
    data = endless()
    if env.strategy is not None:
        coordinator = tf.distribute.coordinator.ClusterCoordinator(env.strategy)
        data = coordinator.create_per_worker_dataset(
            lambda: env.strategy.distribute_datasets_from_function(made)
        )
    return after(model, fit(model, data, epochs=2, steps_per_epoch=STEPS))


@CASES.add(
    ROW,
    Promise.REFUSED,
    keras=(2,),
    workers=(1,),
    says="Only `tf.keras.utils.experimental.DatasetCreator`",
)
def fit_per_worker_2(env: Env) -> Result:
    return fit_per_worker(env)


@CASES.add("`fit` with NumPy arrays", workers=(1,), note="Keras 2: `steps_per_epoch` is needed")
def fit_numpy(env: Env) -> Result:
    model = compiled(env)
    needed = {"steps_per_epoch": STEPS} if env.version == 2 else {}
    history = fit(model, *arrays(), batch_size=BATCH, epochs=2, shuffle=False, **needed)
    return after(model, history)


@CASES.add("`validation_data`", workers=(1,))
def validation_data(env: Env) -> Result:
    model = compiled(env, metrics=["accuracy"])
    x, y = arrays(24)
    history = fit(
        model,
        endless(),
        epochs=2,
        steps_per_epoch=STEPS,
        validation_data=dataset(x[::-1].copy(), y),
        validation_steps=2,
    )
    return after(model, history)


@CASES.add(
    "`validation_split`",
    workers=(1,),
    note="Keras 2: `steps_per_epoch` and `validation_steps` are needed",
)
def validation_split(env: Env) -> Result:
    model = compiled(env)
    options: dict[str, Any] = {"batch_size": BATCH, "shuffle": False, "validation_split": 0.25}
    if env.version == 2:
        options |= {"steps_per_epoch": STEPS * 3 // 4, "validation_steps": STEPS // 4}
    history = fit(model, *arrays(), **options)
    return after(model, history)


ROW = "`class_weight`"


@CASES.add(ROW, keras=(3,), workers=(1,))
def class_weight(env: Env) -> Result:
    return _weighed(env, {0: 1.0, 1: 3.0, 2: 0.5})


@CASES.add(
    ROW,
    Promise.AS_IS,
    keras=(2,),
    workers=(1,),
    reference=lambda env: _weighed(env, None),
    note="Keras 2 silently ignores it",
)
def class_weight_2(env: Env) -> Result:
    return class_weight(env)


def _weighed(env: Env, weight: dict[int, float] | None) -> Result:
    model = compiled(env)
    return after(model, fit(model, endless(), steps_per_epoch=STEPS, class_weight=weight))


@CASES.add("`sample_weight`", workers=(1,))
def sample_weight(env: Env) -> Result:
    model = compiled(env, weighted_metrics=["accuracy"])
    x, y = arrays()
    weighted = endless(x, y, np.arange(ROWS, dtype="float32"))
    return after(model, fit(model, weighted, steps_per_epoch=STEPS))


@CASES.add(
    "`steps_per_execution`, which an epoch is not a multiple of",
    workers=(1,),
    reference=lambda env: _steps_per_execution(env, 1),
    note="an epoch takes exactly its steps; Keras 3 in one process would take more",
)
def steps_per_execution(env: Env) -> Result:
    return _steps_per_execution(env, 3)


def _steps_per_execution(env: Env, steps: int) -> Result:
    model = compiled(env, steps_per_execution=steps)
    return after(model, fit(model, endless(), epochs=2, steps_per_epoch=STEPS))


ROW = "`evaluate`: each row once"


@CASES.add(ROW, keras=(3,), workers=(1, 2))
def evaluate(env: Env) -> Result:
    with env.scope():
        metrics = ["accuracy", env.keras.metrics.SparseTopKCategoricalAccuracy(2)]
    model = compiled(env, metrics=metrics)
    options = {"steps": STEPS} if env.version == 2 else {}
    found = np.array(model.evaluate(dataset(), verbose=0, **options))
    return {"loss": found[:1], "steps": found}


@CASES.add(
    ROW,
    keras=(2,),
    workers=(1,),
    note="Keras 2 needs `steps`; with more than one worker, it evaluates some rows twice and "
    "others not at all, unless the model is compiled with `pss_evaluation_shards`",
)
def evaluate_2(env: Env) -> Result:
    return evaluate(env)


@CASES.add(
    "exact `evaluate` of Keras 2, by `pss_evaluation_shards`",
    keras=(2,),
    since_2=(2, 16),
    workers=(1, 2),
    note="works only after a `fit`, and with a dataset or a function; otherwise Keras 2 raises an "
    "error. With TensorFlow 2.15, it raises an error for a model of `tf_keras`",
)
def evaluate_in_parts(env: Env) -> Result:
    options = {} if env.strategy is None else {"pss_evaluation_shards": 4}
    model = compiled(env, metrics=["accuracy"], **options)
    fit(model, endless(), steps_per_epoch=1)
    fix_weights(model)
    found = np.array(model.evaluate(dataset(), verbose=0))
    return {"loss": found[:1], "steps": found}


ROW = "`evaluate`, uneven last batch"


@CASES.add(ROW, keras=(3,), workers=(1, 2))
def evaluate_uneven(env: Env) -> Result:
    model = compiled(env, metrics=["accuracy"])
    options = {"steps": -(-ROWS // 7)} if env.version == 2 else {}
    found = np.array(model.evaluate(*arrays(), batch_size=7, verbose=0, **options))
    return {"loss": found[:1], "steps": found}


@CASES.add(ROW, keras=(2,), workers=(1,), note="Keras 2: as above")
def evaluate_uneven_2(env: Env) -> Result:
    return evaluate_uneven(env)


@CASES.add("`evaluate` with a function that makes a dataset", workers=(1,))
def evaluate_function(env: Env) -> Result:
    model = compiled(env)
    return {"loss": np.array(model.evaluate(function(env, made), steps=STEPS, verbose=0))}


@CASES.add(
    "`predict`: rows in order, none lost or doubled",
    workers=(1,),
    note="the chief predicts alone",
)
def predict(env: Env) -> Result:
    model = compiled(env)
    fit(model, endless(), steps_per_epoch=STEPS)
    return {"rows": model.predict(dataset(arrays()[0]), verbose=0)}


ROW = "`predict` inside `strategy.scope()`"


@CASES.add(ROW, keras=(3,), workers=(1,))
def predict_inside(env: Env) -> Result:
    model = compiled(env)
    with env.scope():
        return {"rows": model.predict(dataset(arrays()[0]), verbose=0)}


@CASES.add(ROW, Promise.REFUSED, keras=(2,), workers=(1,), says="create_per_worker_dataset")
def predict_inside_2(env: Env) -> Result:
    return predict_inside(env)
