"""The worker's own processes prepare the data before TensorFlow is used."""

import multiprocessing

import numpy as np
import tensorflow as tf
from toy import result


def prepare(seed):
    return np.random.default_rng(seed).random((8, 4), "float32")


def main():
    with multiprocessing.Pool(2) as pool:
        x = np.concatenate(pool.map(prepare, np.random.randint(1 << 30, size=4)))
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Input([4]), tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse")
    model.fit(x, x.sum(axis=1), verbose=0)
    result(*model.get_weights())


if __name__ == "__main__":
    main()
