"""A Keras model becomes an Estimator, which workers train together."""

import tensorflow as tf
from estimator_toy import Weights
from toy import data, result

strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy()


def input_fn():
    x, y = data()
    return tf.data.Dataset.from_tensor_slices(({"numbers": x}, y)).repeat(20).batch(4)


inputs = tf.keras.Input([4], name="numbers")
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1, name="dense")(inputs))
model.compile(tf.keras.optimizers.legacy.SGD(0.1), "mse")
config = tf.estimator.RunConfig(train_distribute=strategy)
estimator = tf.keras.estimator.model_to_estimator(model, model_dir="model", config=config)
weights = Weights()
tf.estimator.train_and_evaluate(
    estimator,
    tf.estimator.TrainSpec(input_fn, max_steps=10, hooks=[weights]),
    tf.estimator.EvalSpec(input_fn, steps=1),
)
assert len(weights.values) == 10
result(weights.values[-1])
