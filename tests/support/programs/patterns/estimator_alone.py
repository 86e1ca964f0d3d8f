"""An Estimator without a strategy: ``train``, or ``train_and_evaluate``."""

import sys

import tensorflow as tf
from estimator_toy import input_fn, model_fn
from toy import result

estimator = tf.estimator.Estimator(model_fn, "model")
if sys.argv[1] == "train":
    estimator.train(input_fn, max_steps=3)
else:
    evaluation = tf.estimator.EvalSpec(input_fn, steps=1)
    tf.estimator.train_and_evaluate(
        estimator, tf.estimator.TrainSpec(input_fn, max_steps=3), evaluation
    )
assert estimator.get_variable_value("global_step") == 3
result(estimator.get_variable_value("weights"))
