"""The data and the model that the examples share."""

import tensorflow as tf

from mwtutor.datasets import digits


def dataset(global_batch_size):
    """Endless training batches of (image in 0..1, label)."""
    (images, labels), _ = digits.load()
    images = (images / 255.0).astype("float32")
    data = tf.data.Dataset.from_tensor_slices((images, labels.astype("int64")))
    return data.shuffle(len(images), seed=1).repeat().batch(global_batch_size)


def test_data():
    """All test images and labels, as two arrays."""
    _, (images, labels) = digits.load()
    return (images / 255.0).astype("float32"), labels.astype("int64")


def build_model():
    """A small convolutional network, not yet compiled."""
    return tf.keras.Sequential(
        [
            tf.keras.Input(shape=(28, 28, 1)),
            tf.keras.layers.Conv2D(16, 5, strides=2, activation="relu"),
            tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(64, activation="relu"),
            tf.keras.layers.Dense(10),
        ]
    )
