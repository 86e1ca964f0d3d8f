"""Flags are parsed before ``main``, and the training uses their values."""

import tensorflow as tf
from absl import app, flags
from toy import data, result

flags.DEFINE_integer("epochs", 1, "How often the data is seen.")
flags.DEFINE_float("learning_rate", 0.01, "Of the optimizer.")


def main(argv):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Input([4]), tf.keras.layers.Dense(1)])
        model.compile(tf.keras.optimizers.SGD(flags.FLAGS.learning_rate), "mse")
    history = model.fit(*data(), epochs=flags.FLAGS.epochs, verbose=0)
    assert len(history.history["loss"]) == 3
    result(*model.get_weights(), [float(model.optimizer.learning_rate.numpy())])


if __name__ == "__main__":
    app.run(main)
