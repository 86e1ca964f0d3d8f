"""``train_and_evaluate`` on workers that train together: a strategy in the RunConfig."""

import sys

import tensorflow as tf
from estimator_toy import Weights, input_fn, model_fn
from toy import result

strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy()
config = tf.estimator.RunConfig("model", train_distribute=strategy, save_checkpoints_steps=10)
weights = Weights()
estimator = tf.estimator.Estimator(model_fn, config=config)
if sys.argv[1] == "train":
    estimator.train(input_fn, max_steps=20)
    assert estimator.evaluate(input_fn, steps=1)["global_step"] == 20
    result(estimator.get_variable_value("weights"))
else:
    tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(input_fn, max_steps=20, hooks=[weights]),
        tf.estimator.EvalSpec(input_fn, steps=1),
    )
    assert len(weights.values) == 20
    result(weights.values[-1])
