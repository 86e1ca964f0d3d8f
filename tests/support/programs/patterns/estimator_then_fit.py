"""An Estimator with parameter servers; then every task that trained calls ``fit``, by itself."""

import tensorflow as tf
from estimator_toy import input_fn, model_fn
from toy import data

tf.estimator.train_and_evaluate(
    tf.estimator.Estimator(model_fn, "model"),
    tf.estimator.TrainSpec(input_fn, max_steps=3),
    tf.estimator.EvalSpec(input_fn, steps=1),
)
model = tf.keras.Sequential([tf.keras.layers.Input([4]), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(*data(), verbose=0)
