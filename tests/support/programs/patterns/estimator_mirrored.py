"""An Estimator of one machine, under a MirroredStrategy: trains, and evaluates."""

import tensorflow as tf
from estimator_toy import input_fn, model_fn
from toy import result

mirrored = tf.distribute.MirroredStrategy()
config = tf.estimator.RunConfig("model", train_distribute=mirrored, eval_distribute=mirrored)
estimator = tf.estimator.Estimator(model_fn, config=config)
estimator.train(input_fn, steps=5)
tf.estimator.train_and_evaluate(
    estimator,
    tf.estimator.TrainSpec(input_fn, max_steps=9),
    tf.estimator.EvalSpec(input_fn, steps=1),
)
assert estimator.evaluate(input_fn, steps=1)["global_step"] == 9
result(estimator.get_variable_value("weights"))
